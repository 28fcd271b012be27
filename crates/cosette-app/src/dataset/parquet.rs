//! Data sets as Parquet.

use super::description::DatasetRow;
use super::format::{DatasetColumns, written};
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

impl DatasetColumns<'_> {
    /// Writes the rows; `about` describes how they were made.
    pub(super) fn write_parquet(&self, about: &Value, out: File) -> Result<(), ParquetError> {
        let list = |name: &str, kind: &str| {
            format!(
                "required group {name} (LIST) {{ repeated group list {{ required {kind} element; \
                    }} }}"
            )
        };
        let byte =
            |name: &str, signed: bool| format!("required int32 {name} (INTEGER(8,{signed}));");
        let list_of_bytes = |name: &str, signed: bool| {
            list(name, "int32").replace("element;", &format!("element (INTEGER(8,{signed}));"))
        };
        let mut schema = vec![
            "required int64 index;".to_owned(),
            list_of_bytes("facelets", false),
            byte("length", true),
        ];
        schema.extend(
            self.has_solutions()
                .then(|| "required binary solution (STRING);".to_owned()),
        );
        schema.extend(
            self.has_walks()
                .then(|| "required int32 walk_length;".to_owned()),
        );
        if self.set.optimal_moves {
            schema.extend([
                list("optimal_moves", "boolean"),
                list_of_bytes("neighbor_distances", true),
            ]);
        }
        let schema = parse_message_type(&format!("message cosette {{ {} }}", schema.join(" ")))?;
        let about = KeyValue {
            key: "cosette".into(),
            value: Some(about.to_string()),
        };
        let properties = WriterProperties::builder()
            .set_compression(parquet::basic::Compression::SNAPPY)
            .set_key_value_metadata(Some(vec![about]))
            .build();
        let mut writer = SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties))?;
        for rows in self.rows.chunks(GROUP) {
            let mut group = writer.next_row_group()?;
            let each =
                |value: &dyn Fn(&DatasetRow) -> i32| rows.iter().map(value).collect::<Vec<i32>>();
            column::<Int64Type>(
                &mut group,
                &rows.iter().map(|row| row.index as i64).collect::<Vec<_>>(),
                None,
            )?;
            let facelets = rows
                .iter()
                .flat_map(|row| self.set.layout.write(&row.position))
                .map(i32::from);
            column::<Int32Type>(&mut group, &facelets.collect::<Vec<_>>(), Some(54))?;
            column::<Int32Type>(&mut group, &each(&|row| row.length.into()), None)?;
            if self.has_solutions() {
                let solutions: Vec<ByteArray> = rows
                    .iter()
                    .map(|row| ByteArray::from(written(row).unwrap_or_default().into_bytes()))
                    .collect();
                column::<ByteArrayType>(&mut group, &solutions, None)?;
            }
            if self.has_walks() {
                column::<Int32Type>(
                    &mut group,
                    &each(&|row| row.walk_length.unwrap_or_default() as i32),
                    None,
                )?;
            }
            if self.set.optimal_moves {
                let moves = Some(self.moves.len());
                column::<BoolType>(
                    &mut group,
                    &rows.iter().flat_map(Self::optimal).collect::<Vec<_>>(),
                    moves,
                )?;
                let distances = rows
                    .iter()
                    .flat_map(Self::neighbor_distances)
                    .map(i32::from);
                column::<Int32Type>(&mut group, &distances.collect::<Vec<_>>(), moves)?;
            }
            group.close()?;
        }
        writer.close().map(drop)
    }
}

/// Writes a column of a row group; a column of lists, if the number of values per row is given.
fn column<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, File>,
    values: &[T::T],
    in_each: Option<usize>,
) -> Result<(), ParquetError> {
    let mut column = group
        .next_column()?
        .ok_or_else(|| ParquetError::General("the schema has fewer columns".into()))?;
    let repeated: Option<Vec<i16>> = in_each.map(|count| {
        (0..values.len())
            .map(|n| i16::from(n % count > 0))
            .collect()
    });
    let defined = repeated.as_ref().map(|repeated| vec![1; repeated.len()]);
    column
        .typed::<T>()
        .write_batch(values, defined.as_deref(), repeated.as_deref())?;
    column.close()
}
