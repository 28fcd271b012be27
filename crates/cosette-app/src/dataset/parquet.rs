//! Data sets as Parquet.

use super::columns::{Column, ColumnValue, ValueType};
use super::description::DatasetRow;
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use serde_json::Value;
use std::fs::File;
use std::sync::Arc;

/// Maximum number of rows in a row group.
const MAX_GROUP_ROWS: usize = 65_536;

/// Writes the rows; `about` is their provenance.
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
    for rows in rows.chunks(MAX_GROUP_ROWS) {
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
    let (kind, annotation) = match column.kind {
        ValueType::UInt8 => ("int32", " (INTEGER(8,false))"),
        ValueType::Int8 => ("int32", " (INTEGER(8,true))"),
        ValueType::Int32 => ("int32", ""),
        ValueType::Int64 => ("int64", ""),
        ValueType::Bool => ("boolean", ""),
        ValueType::Text => ("binary", " (STRING)"),
    };
    let name = column.name;
    if column.shape.is_empty() {
        format!("required {kind} {name}{annotation};")
    } else {
        format!(
            "required group {name} (LIST) {{ repeated group list {{ required {kind} \
                element{annotation}; }} }}"
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
    let list_length = column.shape.first().copied();
    if let ValueType::Text = column.kind {
        return write_values::<ByteArrayType>(group, cells.map(text), list_length);
    }
    let numbers = cells.flat_map(ColumnValue::numbers);
    match column.kind {
        ValueType::Int64 => write_values::<Int64Type>(group, numbers, list_length),
        ValueType::Bool => {
            write_values::<BoolType>(group, numbers.map(|bit| bit != 0), list_length)
        }
        _ => write_values::<Int32Type>(group, numbers.map(|number| number as i32), list_length),
    }
}

/// Writes the values of a column into a row group. `list_length` is the number of values in each
/// row of a column of lists; `None` for single values.
fn write_values<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, File>,
    values: impl Iterator<Item = T::T>,
    list_length: Option<usize>,
) -> Result<(), ParquetError> {
    let values: Vec<T::T> = values.collect();
    let mut column = group
        .next_column()?
        .ok_or_else(|| ParquetError::General("the schema has fewer columns".into()))?;
    // Repetition level 0 begins a list, and 1 continues it. Definition level 1: the value exists.
    let levels = |count: usize| (0..values.len()).map(move |n| i16::from(n % count > 0));
    let repetition: Option<Vec<i16>> = list_length.map(|count| levels(count).collect());
    let definition = repetition.as_ref().map(|levels| vec![1; levels.len()]);
    column
        .typed::<T>()
        .write_batch(&values, definition.as_deref(), repetition.as_deref())?;
    column.close()
}
