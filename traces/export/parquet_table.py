"""Steps as Parquet, for pandas, Polars and DuckDB."""

from __future__ import annotations

import io
from collections.abc import Iterable

import msgspec

from traces.export.step_rows import StepRow


def parquet_of(rows: Iterable[StepRow]) -> bytes:
    """One row group, compressed with zstd. Raises `ImportError` where pyarrow is not installed."""
    import pyarrow as pa  # noqa: PLC0415 - of an extra
    from pyarrow import parquet  # noqa: PLC0415

    kinds = {str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_()}
    fields = msgspec.structs.fields(StepRow)
    schema = pa.schema([pa.field(field.name, kinds[field.type]) for field in fields])
    plain = [msgspec.structs.asdict(row) for row in rows]
    out = io.BytesIO()
    parquet.write_table(pa.Table.from_pylist(plain, schema=schema), out, compression="zstd")
    return out.getvalue()
