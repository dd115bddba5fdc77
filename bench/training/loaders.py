"""Loads lines for training with the libraries that trainers load them with: datasets, and where they are there TRL and LLaMA-Factory.

usage: python loaders.py FOLDER
FOLDER holds react.jsonl, sharegpt.jsonl, trl.jsonl, llama-factory.jsonl with dataset_info.json, grpo.jsonl, critic.jsonl and their
pictures. It is run by the Python that has these libraries, which need not be Walker's, so it imports nothing of Walker. Prints one
JSON object: the versions, and of each form how many lines loaded and what was wrong with the others. Nothing is trained.
"""

from __future__ import annotations

import ast
import importlib
import importlib.metadata
import importlib.util
import json
import sys
import tempfile
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

Row = dict[str, Any]
FORMS = ("react", "sharegpt", "trl", "llama-factory", "grpo", "critic")
THINK = ("<think>", "</think>")


def main() -> None:
    """Load all forms of the folder, and print what came of it."""
    folder = Path(sys.argv[1])
    told: Row = {"versions": {name: _version(name) for name in ("datasets", "trl", "llamafactory")}, "forms": {}}
    checks: dict[str, list[Callable[[Row, Path], Iterator[str]]]] = {form: [_check_pictures] for form in FORMS}
    if told["versions"]["trl"]:
        checks["trl"].append(_check_trl())
        checks["grpo"].append(_check_grpo())
        checks["sharegpt"].append(_check_from_value)
        checks["react"].append(_check_text)
    if told["versions"]["llamafactory"]:
        checks["llama-factory"].append(_check_llama_factory(folder))
    for form in FORMS:
        faults = [] if (folder / f"{form}.jsonl").is_file() else [f"there is no {form}.jsonl"]
        rows = [] if faults else _loaded(folder / f"{form}.jsonl")
        lines = [] if faults else (folder / f"{form}.jsonl").read_text(encoding="utf-8").splitlines()
        if len(rows) != len(lines):
            faults.append(f"{len(rows)} rows of {len(lines)} lines")
        for number, (row, line) in enumerate(zip(rows, lines, strict=False), 1):
            kept = {name: value for name, value in row.items() if value is not None}  # columns that other lines have
            if kept != json.loads(line):
                faults.append(f"line {number}: datasets changes it")
            faults += [f"line {number}: {why}" for check in checks[form] for why in _faults(check, row, folder)]
        pictures = sum(len(row.get("images") or ()) for row in rows)
        told["forms"][form] = {
            "lines": len(rows), "libraries": len(checks[form]), "pictures": pictures, "faults": faults
        }  # fmt: skip
    print(json.dumps(told))


def _faults(check: Callable[[Row, Path], Iterator[str]], row: Row, folder: Path) -> list[str]:
    """What a check says of a line; a library that raises is a fault of the line, whatever it raises."""
    try:
        return list(check(row, folder))
    except Exception as error:  # noqa: BLE001 - whatever a library raises
        return [f"{type(error).__name__}: {str(error)[:200]}"]


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return ""


def _loaded(path: Path) -> list[Row]:
    """The rows of a file. Tools have different arguments, so these are kept as JSON, as TRL's documentation says."""
    datasets = importlib.import_module("datasets")
    datasets.disable_progress_bars()
    with tempfile.TemporaryDirectory() as cache:
        found = datasets.load_dataset(
            "json", data_files=str(path), split="train", cache_dir=cache, on_mixed_types="use_json"
        )
        return [dict(row) for row in found]


def _check_pictures(row: Row, folder: Path) -> Iterator[str]:
    """Whether each picture of a line lies beside it, can be decoded, and has a place in the text."""
    paths = row.get("images") or ()
    for path in paths:
        with importlib.import_module("PIL.Image").open(folder / path) as picture:
            picture.load()
    said = json.dumps({name: value for name, value in row.items() if name != "images"})
    places = said.count("<image>") + said.count('{"type": "image"')
    if places != len(paths):
        yield f"it has {places} places for {len(paths)} pictures"


def _check_trl() -> Callable[[Row, Path], Iterator[str]]:
    """A line as TRL's trainer renders it by a chat template that it ships: each call with its arguments and no others."""
    trl, tokenizer = importlib.import_module("trl.data_utils"), _tokenizer()

    def check(row: Row, folder: Path) -> Iterator[str]:
        if not trl.is_conversational(row):
            yield "TRL takes it for no conversation"
            return
        messages = row["messages"]
        if images := row.get("images"):
            opened = [importlib.import_module("PIL.Image").open(folder / path) for path in images]
            prepared = trl.prepare_multimodal_messages(messages, opened)
            parts = [part for one in prepared for part in one["content"] if isinstance(part, dict)]
            if sum(part.get("type") == "image" and part.get("image") is not None for part in parts) != len(images):
                yield "TRL does not put its pictures into their places"
            messages = _texts_of(messages)
        text = trl.apply_chat_template({"messages": messages}, tokenizer, tools=row["tools"])["text"]
        calls = [call["function"] for one in messages for call in one.get("tool_calls") or ()]
        said = text.partition("<|im_start|>user")[2]  # before it the template explains its syntax
        rendered = [json.loads(part.partition("</tool_call>")[0]) for part in said.split("<tool_call>")[1:]]
        if rendered != [{"name": one["name"], "arguments": one["arguments"]} for one in calls]:
            yield "the chat template renders other calls"

    return check


def _check_grpo() -> Callable[[Row, Path], Iterator[str]]:
    """A prompt as TRL renders it, and columns as a reward function is given them."""
    trl, tokenizer = importlib.import_module("trl.data_utils"), _tokenizer()

    def check(row: Row, _: Path) -> Iterator[str]:
        if not trl.is_conversational(row):
            yield "TRL takes its prompt for no conversation"
            return
        prompt = _texts_of(row["prompt"])
        rendered = trl.apply_chat_template({"prompt": prompt}, tokenizer, tools=row["tools"])["prompt"]
        if prompt[-1]["content"] not in rendered or not rendered.rstrip().endswith("assistant"):
            yield "the chat template does not end with the turn of the assistant"
        wanted = {"answers": list, "items": list, "count": int, "kind": str, "format_weight": float, "rewards": list}
        yield from (
            f"its column {name} is no {kind.__name__}"
            for name, kind in wanted.items()
            if not isinstance(row.get(name), kind)
        )

    return check


def _check_from_value(row: Row, _: Path) -> Iterator[str]:
    trl = importlib.import_module("trl.data_utils")
    if not trl.is_conversational_from_value(row):
        yield "TRL does not know its conversation"
    elif not trl.is_conversational(trl.maybe_convert_to_chatml(json.loads(json.dumps(row)))):
        yield "TRL cannot turn it into messages"


def _check_text(row: Row, _: Path) -> Iterator[str]:
    trl = importlib.import_module("trl.data_utils")
    if trl.is_conversational(row) or not all(isinstance(row[name], str) and row[name] for name in ("prompt", "text")):
        yield "TRL does not take it as plain text"


def _texts_of(messages: list[Row]) -> list[Row]:
    """Messages whose contents are texts, as templates of text models take them."""
    return [
        one
        | {
            "content": one["content"]
            if isinstance(one["content"], str)
            else "".join(part.get("text") or "" for part in one["content"])
        }
        for one in messages
    ]


def _tokenizer() -> Any:
    """A tokenizer with a chat template of TRL's own; its vocabulary does not matter, as nothing is trained."""
    transformers, tokenizers = importlib.import_module("transformers"), importlib.import_module("tokenizers")
    words = tokenizers.Tokenizer(tokenizers.models.WordLevel({"[UNK]": 0}, unk_token="[UNK]"))
    made = transformers.PreTrainedTokenizerFast(tokenizer_object=words, unk_token="[UNK]")
    spec = importlib.util.find_spec("trl")
    assert spec is not None
    assert spec.origin is not None
    made.chat_template = (Path(spec.origin).parent / "chat_templates" / "qwen3.jinja").read_text(encoding="utf-8")
    return made


class _Warnings:
    """Takes what LLaMA-Factory warns of, in place of its logger, which imports torch by way of its constants."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def get_logger(self, _: str) -> _Warnings:
        return self

    def warning_rank0(self, text: str) -> None:
        self.told.append(text[:200])

    warning_rank0_once = warning_rank0


def _check_llama_factory(folder: Path) -> Callable[[Row, Path], Iterator[str]]:
    """A line as LLaMA-Factory's converter for the entry of `dataset_info.json` takes it, and its calls as its formatter reads them.
    All that it warns of is a fault."""
    base, warnings = _llama_factory_without_torch()
    converter = importlib.import_module("llamafactory.data.converter")
    formatter = importlib.import_module("llamafactory.data.formatter")
    attributes = _attributes(base / "data" / "parser.py")(load_from="file", dataset_name="walks")
    (entry,) = json.loads((folder / "dataset_info.json").read_text(encoding="utf-8")).values()
    attributes.join(entry)
    convert = converter.SharegptDatasetConverter(attributes, types.SimpleNamespace(media_dir=str(folder)))
    functions = formatter.FunctionFormatter(slots=["{{content}}"], tool_format="qwen")
    tools = formatter.ToolFormatter(tool_format="qwen")

    def check(row: Row, _: Path) -> Iterator[str]:
        made = convert(row)
        yield from warnings.told
        warnings.told.clear()
        if not made["_prompt"] or len(made["_response"]) != 1:
            return
        places = sum(one["content"].count("<image>") for one in (*made["_prompt"], *made["_response"]))
        if places != len(made["_images"] or ()):
            yield f"it has {places} places for {len(made['_images'] or ())} pictures"
        declared = tools.apply(content=made["_tools"])[0]
        yield from (
            f"the tool {one['name']} is not declared" for one in json.loads(row["tools"]) if one["name"] not in declared
        )
        for said in (one["content"] for one in made["_prompt"] if one["role"] == "function"):
            rendered = functions.apply(content=said, thought_words=THINK)[0].partition("<tool_call>")[2]
            call = json.loads(said.rpartition(THINK[1])[2])
            if json.loads(rendered.partition("</tool_call>")[0]) != call:
                yield "LLaMA-Factory reads another call"

    return check


def _llama_factory_without_torch() -> tuple[Path, _Warnings]:
    """Where LLaMA-Factory is. Its packages are entered by name, since their `__init__` import torch, which these modules need not."""
    spec = importlib.util.find_spec("llamafactory")
    assert spec is not None
    assert spec.submodule_search_locations
    base, warnings = Path(spec.submodule_search_locations[0]), _Warnings()
    for name, place in (("llamafactory", base), ("llamafactory.data", base / "data"), ("llamafactory.extras", base)):
        package = types.ModuleType(name)
        package.__path__ = [str(place)]
        sys.modules[name] = package
    sys.modules["llamafactory.extras"].__dict__["logging"] = warnings
    return base, warnings


def _attributes(parser: Path) -> Any:
    """The class that holds an entry of `dataset_info.json`, out of a module that imports torch."""
    tree = ast.parse(parser.read_text(encoding="utf-8"))
    tree.body = [one for one in tree.body if isinstance(one, ast.ClassDef) and one.name == "DatasetAttr"]
    names: Row = {}
    exec("from dataclasses import dataclass\nfrom typing import Any, Literal", names)
    exec(compile(tree, str(parser), "exec"), names)
    return names["DatasetAttr"]


if __name__ == "__main__":
    main()
