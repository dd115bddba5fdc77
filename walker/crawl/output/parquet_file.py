"""Parquet, through pyarrow (the extra `files`). Nested values are JSON in text columns."""

from __future__ import annotations

import itertools
from pathlib import Path

from walker.crawl.output.spool import ColumnKind, Spool
from walker.errors import MissingExtra

_ROWS_A_GROUP = 10_000


def write_parquet(spool: Spool, path: Path) -> None:
    """Write all records. Raises `MissingExtra` without pyarrow."""
    try:
        import pyarrow  # noqa: PLC0415 - an extra
        from pyarrow import parquet  # noqa: PLC0415
    except ImportError:
        raise MissingExtra("Parquet needs pyarrow", advice="Install it with: pip install 'gemwalker[files]'") from None
    kinds: dict[ColumnKind, pyarrow.DataType] = {
        "boolean": pyarrow.bool_(),
        "integer": pyarrow.int64(),
        "number": pyarrow.float64(),
        "text": pyarrow.string(),
        "nested": pyarrow.string(),
    }
    schema = pyarrow.schema([(name, kinds[kind]) for name, kind in spool.columns.items()])
    cells = spool.cells()
    with parquet.ParquetWriter(path, schema, compression="zstd") as writer:
        while group := list(itertools.islice(cells, _ROWS_A_GROUP)):
            columns = [
                pyarrow.array(column, kind) for column, kind in zip(zip(*group, strict=True), schema.types, strict=True)
            ]
            writer.write_table(pyarrow.table(columns, schema=schema))
