"""Families of language models whose weights are public, and what is known of any model by its name, where its server does not say.

A table of data. A context is the most that a family was trained for; what a server gives a model is mostly less.
"""

from __future__ import annotations

import re

import msgspec

from walker.models.discovery.hosted_families import HOSTED
from walker.models.discovery.listed_model import ListedModel
from walker.models.discovery.model_family import ModelFamily

NO_CHAT = re.compile(
    r"embed|rerank|(?:^|[/_-])(?:bge|gte|e5|nomic|minilm|whisper|tts|flux|sd3)(?=[-_.:/]|$)|stable-diffusion|guard|-ocr|reward"
)
"""Names, in lower case, of models that are no chat models, or answer in a form of their own."""
SPECIAL = re.compile(
    r"cod(?:e|er|ing|estral)|math|sql|medical|biomistral|translat|roleplay|uncensored|abliterated|draft"
)
"""Names of models that were trained on for one purpose."""
BASE = re.compile(r"(?:^|[-_/:])(?:base|text|pt)(?=[-_.:]|$)")
"""Names of models that continue a text and were not taught to answer."""
_BILLIONS = re.compile(r"(?:^|[-_:/ ])(\d+x)?e?(\d+(?:\.\d+)?)b(?=[-_.:@ ]|$)")
_MILLIONS = re.compile(r"(?:^|[-_:/ ])(\d+)m(?=[-_.:@ ]|$)")


OPEN = (
    ModelFamily(
        name="gpt-oss", pattern=r"gpt-?oss", context=131_072, reasons="always",
        switch="reasoning_effort", efforts=("low", "medium", "high"),
        source="gpt-oss model card (arXiv 2508.10925): effort low, medium, high",
    ),
    ModelFamily(
        name="qwen3-vl-thinking", pattern=r"qwen-?3-?vl.*thinking", context=262_144, sees=True, reasons="always",
        source="model card Qwen/Qwen3-VL-8B-Thinking",
    ),
    ModelFamily(
        name="qwen3-vl", pattern=r"qwen-?3-?vl", context=262_144, sees=True,
        source="model card Qwen/Qwen3-VL-8B-Instruct",
    ),
    ModelFamily(
        name="qwen3.5", pattern=r"qwen-?3\.[5-9]", context=262_144, sees=True, reasons="switch",
        switch="enable_thinking",
        source="model card Qwen/Qwen3.5-9B; enable_thinking: docs.vllm.ai, qwen3_reasoning_parser",
    ),
    ModelFamily(
        name="qwen3-coder", pattern=r"qwen-?3-?coder", context=262_144,
        source="model card Qwen/Qwen3-Coder-30B-A3B-Instruct",
    ),
    ModelFamily(
        name="qwen3-2507-instruct", pattern=r"qwen-?3.*instruct", context=262_144,
        source="model card Qwen/Qwen3-4B-Instruct-2507",
    ),
    ModelFamily(
        name="qwen3-2507-thinking", pattern=r"qwen-?3.*thinking", context=262_144, reasons="always",
        source="model card Qwen/Qwen3-4B-Thinking-2507",
    ),
    ModelFamily(
        name="qwen3", pattern=r"qwen-?3", context=40_960, reasons="switch",
        switch="enable_thinking",
        source="model card Qwen/Qwen3-8B; 40,960 in its configuration; enable_thinking: qwen.readthedocs.io, deployment/vllm",
    ),
    ModelFamily(
        name="qwq", pattern=r"qwq", context=131_072, reasons="always",
        source="model card Qwen/QwQ-32B",
    ),
    ModelFamily(
        name="qwen2.5-vl", pattern=r"qwen-?2\.?5.*vl", context=128_000, sees=True,
        source="configuration of Qwen/Qwen2.5-VL-7B-Instruct",
    ),
    ModelFamily(
        name="qwen2.5", pattern=r"qwen-?2\.5", context=131_072,
        source="model card Qwen/Qwen2.5-7B-Instruct",
    ),
    ModelFamily(
        name="deepseek-r1", pattern=r"deepseek-?r1|r1-distill", context=131_072, reasons="always", keeps_schemas=False,
        source="model card deepseek-ai/DeepSeek-R1",
    ),
    ModelFamily(
        name="deepseek-v3.1", pattern=r"deepseek-?v3[._-][12]", context=131_072, reasons="asked",
        source="openrouter.ai deepseek-chat-v3.1, alibabacloud.com deepseek-v3-1: 131,072, thinks where it is asked to; how differs",
    ),
    ModelFamily(
        name="deepseek-v3", pattern=r"deepseek-?v3",
        source="novita.ai deepseek-v3-turbo: 64,000, alibabacloud.com: more; it differs between servers",
    ),
    ModelFamily(
        name="glm-4.5v", pattern=r"glm-?4\.5-?v", context=65_536, sees=True, reasons="switch",
        source="models.dev zhipuai/glm-4.5v: reasoning can be switched, how is not said",
    ),
    ModelFamily(
        name="glm-4.6v", pattern=r"glm-?4\.6-?v", context=131_072, sees=True, reasons="switch",
        source="models.dev zhipuai/glm-4.6v: as glm-4.5v",
    ),
    ModelFamily(
        name="glm-4.5", pattern=r"glm-?4\.5", context=131_072, reasons="switch",
        source="models.dev zhipuai/glm-4.5, wandb.ai GLM-4.5: thinking and non-thinking mode",
    ),
    ModelFamily(
        name="glm-4.6", pattern=r"glm-?(?:4\.[67]|5)", context=200_000, reasons="switch",
        source="models.dev zhipuai/glm-4.6, glm-4.7, glm-5: 200,000 to 204,800; reasoning can be switched",
    ),
    ModelFamily(
        name="kimi-k2-thinking", pattern=r"kimi-?k2-?thinking", context=262_144, reasons="always",
        source="models.dev moonshotai/kimi-k2-thinking; docs.together.ai, kimi-k2-thinking-quickstart",
    ),
    ModelFamily(
        name="kimi-k2.5", pattern=r"kimi-?k2\.5", context=262_144, sees=True, reasons="switch",
        temperature=False,
        source="models.dev moonshotai/kimi-k2.5: reasoning_content, no temperature, can be switched",
    ),
    ModelFamily(
        name="kimi-k2.6", pattern=r"kimi-?k2\.[6-9]", context=262_144, sees=True, reasons="switch",
        source="models.dev moonshotai/kimi-k2.6",
    ),
    ModelFamily(
        name="kimi-k2", pattern=r"kimi-?k2", context=131_072,
        source="models.dev moonshotai/kimi-k2-0711-preview; from 0905 on 262,144",
    ),
    ModelFamily(
        name="command-a-reasoning", pattern=r"command-?a-?reasoning", context=256_000, reasons="switch",
        switch="reasoning_effort", efforts=("none", "high"),
        source="models.dev cohere/command-a-reasoning-08-2025: none or high through the OpenAI-compatible endpoint",
    ),
    ModelFamily(
        name="command-a-vision", pattern=r"command-?a-?vision", context=128_000, sees=True,
        source="models.dev cohere/command-a-vision-07-2025",
    ),
    ModelFamily(
        name="command-a", pattern=r"command-?a(?![a-z])", context=256_000,
        source="models.dev cohere/command-a-03-2025; command-a-plus has 128,000",
    ),
    ModelFamily(
        name="command-r", pattern=r"command-?r", context=128_000,
        source="models.dev cohere/command-r-08-2024, command-r7b-12-2024",
    ),
    ModelFamily(
        name="minimax-m2", pattern=r"minimax-?m2", context=196_608, reasons="always",
        source="models.dev minimax/MiniMax-M2",
    ),
    ModelFamily(
        name="ministral", pattern=r"ministral", context=128_000,
        source="models.dev mistral/ministral-3b-latest, ministral-8b-latest; later ones may take pictures, which is not said there",
    ),
    ModelFamily(
        name="pixtral", pattern=r"pixtral", context=128_000, sees=True,
        source="models.dev mistral/pixtral-12b, pixtral-large-latest",
    ),
    ModelFamily(
        name="mistral-large-3", pattern=r"mistral-?large-?(?:3|2512|latest)", context=262_144, sees=True,
        source="models.dev mistral/mistral-large-2512",
    ),
    ModelFamily(
        name="mistral-large", pattern=r"mistral-?large", context=131_072,
        source="models.dev mistral/mistral-large-2411",
    ),
    ModelFamily(
        name="mistral-medium", pattern=r"mistral-?medium", context=131_072, sees=True,
        source="models.dev mistral/mistral-medium-2505; from 2604 on 262,144",
    ),
    ModelFamily(
        name="gemma-4", pattern=r"gemma-?4", context=262_144, sees=True, reasons="switch", switch="enable_thinking",
        source="model card google/gemma-4; enable_thinking: docs.vllm.ai, reasoning outputs, by which vLLM leaves it off",
    ),
    ModelFamily(
        name="gemma-3n", pattern=r"gemma-?3n", context=32_768, keeps_schemas=False,
        source="model card google/gemma-3n-E4B-it; served without pictures by most servers",
    ),
    ModelFamily(
        name="gemma-3-small", pattern=r"gemma-?3.*(?:\b1b|270m)", context=32_768, keeps_schemas=False,
        source="model card google/gemma-3-1b-it",
    ),
    ModelFamily(
        name="gemma-3", pattern=r"gemma-?3", context=131_072, sees=True, keeps_schemas=False,
        source="model card google/gemma-3-4b-it",
    ),
    ModelFamily(
        name="gemma-2", pattern=r"gemma-?2", context=8_192, keeps_schemas=False,
        source="model card google/gemma-2-9b-it",
    ),
    ModelFamily(
        name="llama-3.2-vision", pattern=r"llama-?3\.2.*vision", context=131_072, sees=True, keeps_schemas=False,
        source="model card meta-llama/Llama-3.2-11B-Vision",
    ),
    ModelFamily(
        name="llama-3.1", pattern=r"llama-?3\.[1-3]", context=131_072,
        source="model card meta-llama/Llama-3.1-8B",
    ),
    ModelFamily(
        name="llama-3", pattern=r"llama-?3", context=8_192, keeps_schemas=False,
        source="model card meta-llama/Meta-Llama-3-8B",
    ),
    ModelFamily(
        name="llama-4", pattern=r"llama-?4", context=1_048_576, sees=True,
        source="model card meta-llama/Llama-4-Maverick",
    ),
    ModelFamily(
        name="magistral", pattern=r"magistral", context=131_072, reasons="always",
        source="model card mistralai/Magistral-Small-2506",
    ),
    ModelFamily(
        name="mistral-small-3.1", pattern=r"mistral-?small-?3\.[12]", context=131_072, sees=True,
        source="model card mistralai/Mistral-Small-3.1-24B-Instruct-2503",
    ),
    ModelFamily(
        name="mistral-nemo", pattern=r"mistral-?nemo", context=131_072,
        source="model card mistralai/Mistral-Nemo-Instruct-2407",
    ),
    ModelFamily(
        name="mistral", pattern=r"mistral-?(?:small|7b|instruct)|^mistral(?=:|$)", context=32_768,
        source="model card mistralai/Mistral-7B-Instruct-v0.3",
    ),
    ModelFamily(
        name="phi-4-reasoning", pattern=r"phi-?4.*reasoning", context=32_768, reasons="always", keeps_schemas=False,
        source="model card microsoft/Phi-4-reasoning",
    ),
    ModelFamily(
        name="phi-4-mini", pattern=r"phi-?4-?mini", context=131_072,
        source="model card microsoft/Phi-4-mini-instruct",
    ),
    ModelFamily(
        name="phi-4", pattern=r"phi-?4", context=16_384, keeps_schemas=False,
        source="model card microsoft/phi-4",
    ),
    ModelFamily(
        name="granite", pattern=r"granite-?(?:3\.[1-3]|4)", context=131_072,
        source="model cards ibm-granite/granite-3.3-8b-instruct and granite-4.0",
    ),
    ModelFamily(
        name="llava", pattern=r"llava|bakllava|moondream|minicpm-?v", sees=True, keeps_schemas=False,
        source="their papers; contexts from 2,048 to 32,768",
    ),
)  # fmt: skip


FAMILIES = (*HOSTED, *OPEN)


def family_of(model: str) -> ModelFamily | None:
    """The family by a model's name, the first whose pattern is found in it; None if there is none."""
    plain = model.lower().rsplit("/", 1)[-1]
    return next((family for family in FAMILIES if re.search(family.pattern, plain)), None)


def billions_in(text: str) -> float:
    """Parameters in a name or a size as servers write it (`qwen3:8b`, `8.2B`, `270M`, `8x7b`), in units of 10^9; 0 if none."""
    plain = text.lower()
    if found := _BILLIONS.search(plain):
        return float(found[2]) * (int(found[1][:-1]) if found[1] else 1)
    found = _MILLIONS.search(plain)
    return int(found[1]) / 1000 if found else 0.0


def completed(model: ListedModel) -> ListedModel:
    """The model with what its name tells, where the server did not say."""
    family, plain = family_of(model.name), model.name.lower()
    told = msgspec.structs.replace(
        model,
        billions=model.billions or billions_in(model.name),
        chats=model.chats and not NO_CHAT.search(plain) and not BASE.search(plain.rsplit("/", 1)[-1]),
    )
    if family is None:
        return told
    return msgspec.structs.replace(
        told,
        most_context=told.most_context or family.context,
        sees=family.sees if told.sees is None else told.sees,
        reasons=family.reasons in ("always", "switch") if told.reasons is None else told.reasons,
        keeps_schemas=family.keeps_schemas if told.keeps_schemas is None else told.keeps_schemas,
    )
