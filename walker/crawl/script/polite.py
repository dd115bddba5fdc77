"""How politely a site is asked: what of crawl scripts walks know too, which make no other part of them."""

from __future__ import annotations

from typing import Any, get_origin

from pydantic import BaseModel, ConfigDict, Field, model_validator


class Part(BaseModel):
    """A part of a crawl script: what it does not know is refused, and one value stands for a list of one."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, use_attribute_docstrings=True)

    @model_validator(mode="before")
    @classmethod
    def _one_is_a_list_of_one(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        lists = {name for name, field in cls.model_fields.items() if get_origin(field.annotation) is tuple}
        return {
            name: (value,) if name in lists and value is not None and not isinstance(value, list | tuple) else value
            for name, value in data.items()
        }


class Polite(Part):
    """Rate limits, robots.txt and retries."""

    robots: bool = True
    """Obey robots.txt (RFC 9309)."""
    delay: float = Field(0, ge=0)
    """Seconds between two fetches from one host; the Crawl-delay of robots.txt where that is longer."""
    per_host: int = Field(4, ge=1, le=64)
    """Fetches from one host at a time."""
    contact: str = ""
    """URL or e-mail address of the person who crawls, for the User-Agent."""
    user_agent: str = ""
    """User-Agent instead of Walker's own."""
    retries: int = Field(3, ge=0, le=20)
    """Retries after transient failures: time-outs, refused connections, 429, 5xx."""
