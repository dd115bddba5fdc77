"""A tool whose wrong arguments are told in one line."""

from __future__ import annotations

from typing import Any

from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from pydantic import ValidationError

from walker.jobs.told_problem import told_problems


class PlainTool(Tool):
    """As the SDK's, which tells wrong arguments in several lines with addresses in them, and passes over those it does not know."""

    async def run(
        self,
        arguments: dict[str, Any],
        context: Any,
        convert_result: bool = False,  # noqa: FBT001, FBT002 - the SDK's
    ) -> Any:
        """Run it. Raises `ToolError`, in one line."""
        known = self.parameters.get("properties", {})
        if unknown := [name for name in arguments if name not in known]:
            raise ToolError(f"{unknown[0]}: {self.name} has no such argument. It takes {', '.join(known)}")
        try:
            return await super().run(arguments, context, convert_result)
        except ToolError as error:
            if isinstance(error.__cause__, ValidationError):
                raise ToolError(f"{told_problems(error.__cause__.errors())}. See the schema of {self.name}") from None
            raise
