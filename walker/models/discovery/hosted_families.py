"""Families of language models that their makers serve, with what their documentation says of requests.

models.dev is the open database of models and providers (github.com/anomalyco/models.dev, read as of 2026-07-02).
"""

from __future__ import annotations

from walker.models.discovery.model_family import ModelFamily

_OPENAI = "API reference of OpenAI, chat completions: max_completion_tokens, reasoning_effort; "
_REASONING = (
    "developers.openai.com, guide to reasoning, as quoted in vercel/ai issue 10932: no temperature, top_p, logprobs"
)

HOSTED = (
    ModelFamily(
        name="openai-o-mini", pattern=r"^o[13]-mini", context=200_000, reasons="always", switch="reasoning_effort",
        efforts=("low", "medium", "high"), limit_name="max_completion_tokens", temperature=False, logprobs=False,
        source=f"{_OPENAI}{_REASONING}; models.dev openai/o3-mini: text only",
    ),
    ModelFamily(
        name="openai-o", pattern=r"^o[134](?:-|$)", context=200_000, sees=True, reasons="always",
        switch="reasoning_effort", efforts=("low", "medium", "high"),
        limit_name="max_completion_tokens", temperature=False, logprobs=False,
        source=f"{_OPENAI}{_REASONING}; models.dev openai/o1, o3, o4-mini",
    ),
    ModelFamily(
        name="gpt-5-chat", pattern=r"gpt-?5(?:\.\d)?-chat", context=128_000, sees=True,
        source="models.dev openai/gpt-5.1-chat-latest: 128,000; what it takes besides differs between its versions",
    ),
    ModelFamily(
        name="gpt-5", pattern=r"gpt-?5", context=400_000, sees=True, reasons="switch", switch="reasoning_effort",
        efforts=("none", "low", "medium", "high"), limit_name="max_completion_tokens", temperature=False, logprobs=False,
        source=f"{_OPENAI}{_REASONING}; models.dev openai/gpt-5 to gpt-5.5: from 5.4 on 1,050,000; effort none from 5.1 on",
    ),
    ModelFamily(
        name="gpt-4.1", pattern=r"gpt-?4\.1", context=1_047_576, sees=True,
        source="models.dev openai/gpt-4.1",
    ),
    ModelFamily(
        name="gpt-4o", pattern=r"gpt-?4o", context=128_000, sees=True,
        source="models.dev openai/gpt-4o",
    ),
    ModelFamily(
        name="claude-newest", pattern=r"claude-(?:opus-4[.-][789]|(?:opus|sonnet|haiku|fable)-[5-9])", context=1_000_000,
        sees=True, reasons="asked", switch="thinking", format="tools", temperature=False, logprobs=False,
        source="platform.claude.com, OpenAI SDK compatibility: response_format and logprobs are ignored, tools are not; models.dev"
        " anthropic/claude-opus-4-7, claude-sonnet-5: no temperature",
    ),
    ModelFamily(
        name="claude", pattern=r"claude", context=200_000, sees=True, reasons="asked", switch="thinking", format="tools",
        logprobs=False,
        source="platform.claude.com, OpenAI SDK compatibility: response_format and logprobs are ignored, tools are not; models.dev"
        " anthropic: from claude-opus-4-6 and claude-sonnet-4-6 on 1,000,000",
    ),
    ModelFamily(
        name="gemini-2.0", pattern=r"gemini-?2\.0", context=1_048_576, sees=True,
        source="ai.google.dev, gemini-2.0-flash, and OpenAI compatibility: structured output",
    ),
    ModelFamily(
        name="gemini", pattern=r"gemini-?(?:2\.5|3)|gemini-flash", context=1_048_576, sees=True, reasons="switch",
        switch="reasoning_effort", efforts=("none", "low", "medium", "high"),
        source="ai.google.dev, OpenAI compatibility: reasoning_effort, structured output; models.dev google/gemini-2.5-flash",
    ),
    ModelFamily(
        name="deepseek-reasoner", pattern=r"deepseek-?reasoner", context=131_072, reasons="always", logprobs=False,
        source="documentation of the DeepSeek API, deepseek-reasoner: reasoning_content; logprobs are an error,"
        " temperature has no effect; models.dev: 1,000,000 since it stands for V4",
    ),
    ModelFamily(
        name="deepseek-chat", pattern=r"deepseek-?chat", context=131_072,
        source="models.dev deepseek/deepseek-chat: 1,000,000 since it stands for V4; 128,000 before",
    ),
    ModelFamily(
        name="deepseek-v4", pattern=r"deepseek-?v4", context=1_000_000, reasons="switch", switch="thinking",
        source="models.dev deepseek/deepseek-v4-pro: reasoning_content, thinking.type, structured output",
    ),
)  # fmt: skip
