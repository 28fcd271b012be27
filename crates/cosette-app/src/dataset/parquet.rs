//! Data sets as Parquet.

use super::description::DatasetRow;
use super::format::{Column, ColumnValue, ValueType};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use serde_json::Value;
use std::fs::File;
use std::sync::Arc;

/// Number of rows in a row group.
const GROUP: usize = 65_536;

/// Writes the rows; `about` describes how they were made.
pub(super) fn write_parquet(
    columns: &[Column<'_>],
    rows: &[DatasetRow],
    about: &Value,
    out: File,
) -> Result<(), ParquetError> {
    let schema: String = columns.iter().map(declaration).collect();
    let schema = parse_message_type(&format!("message cosette {{ {schema} }}"))?;
    let about = KeyValue {
        key: "cosette".into(),
        value: Some(about.to_string()),
    };
    let properties = WriterProperties::builder()
        .set_compression(parquet::basic::Compression::SNAPPY)
        .set_key_value_metadata(Some(vec![about]))
        .build();
    let mut writer = SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties))?;
    for rows in rows.chunks(GROUP) {
        let mut group = writer.next_row_group()?;
        for column in columns {
            write_column(&mut group, column, rows)?;
        }
        group.close()?;
    }
    writer.close().map(drop)
}

/// Returns the declaration of a column in the schema.
fn declaration(column: &Column<'_>) -> String {
    let (kind, meaning) = match column.kind {
        ValueType::UInt8 => ("int32", " (INTEGER(8,false))"),
        ValueType::Int8 => ("int32", " (INTEGER(8,true))"),
        ValueType::Int32 => ("int32", ""),
        ValueType::Int64 => ("int64", ""),
        ValueType::Bool => ("boolean", ""),
        ValueType::Text => ("binary", " (STRING)"),
    };
    let name = column.name;
    if column.shape.is_empty() {
        format!("required {kind} {name}{meaning};")
    } else {
        format!(
            "required group {name} (LIST) {{ repeated group list {{ required {kind} \
                element{meaning}; }} }}"
        )
    }
}

fn write_column(
    group: &mut SerializedRowGroupWriter<'_, File>,
    column: &Column<'_>,
    rows: &[DatasetRow],
) -> Result<(), ParquetError> {
    let cells = rows.iter().map(|row| (column.value)(row));
    let text = |cell| match cell {
        ColumnValue::Text(text) => ByteArray::from(text.into_bytes()),
        _ => ByteArray::new(),
    };
    let width = column.shape.first().copied();
    if let ValueType::Text = column.kind {
        return write_values::<ByteArrayType>(group, cells.map(text), width);
    }
    let numbers = cells.flat_map(ColumnValue::numbers);
    match column.kind {
        ValueType::Int64 => write_values::<Int64Type>(group, numbers, width),
        ValueType::Bool => write_values::<BoolType>(group, numbers.map(|bit| bit != 0), width),
        _ => write_values::<Int32Type>(group, numbers.map(|number| number as i32), width),
    }
}

/// Writes the values of a column of a row group; of a column of lists, if the number of values per
/// row is given.
fn write_values<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, File>,
    values: impl Iterator<Item = T::T>,
    in_each: Option<usize>,
) -> Result<(), ParquetError> {
    let values: Vec<T::T> = values.collect();
    let mut column = group
        .next_column()?
        .ok_or_else(|| ParquetError::General("the schema has fewer columns".into()))?;
    let is_repeated = |count: usize| (0..values.len()).map(move |n| i16::from(n % count > 0));
    let repeated: Option<Vec<i16>> = in_each.map(|count| is_repeated(count).collect());
    let defined = repeated.as_ref().map(|repeated| vec![1; repeated.len()]);
    column
        .typed::<T>()
        .write_batch(&values, defined.as_deref(), repeated.as_deref())?;
    column.close()
}
