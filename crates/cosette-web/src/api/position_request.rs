//! The JSON body of a request: a position, and the fields of the request. Invalid JSON is rejected
//! with serde's message and the path of the field (see [`ApiError`](crate::api_error::ApiError)).

use cosette_app::request::Request;
use cosette_fmc::request as fmc;
use serde::de::{DeserializeOwned, Visitor};
use serde::{Deserialize, Deserializer};
use std::borrow::Cow;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

/// A position, and the request for it.
#[derive(Debug, Deserialize)]
#[serde(
    bound(deserialize = "R: DeserializeOwned"),
    expecting = "an object with a position"
)]
pub struct PositionRequest<R> {
    /// The position, in any format. The field may also be named `text`.
    #[serde(alias = "text")]
    pub position: String,
    /// The fields of the request.
    #[serde(flatten, deserialize_with = "with_paths")]
    pub request: R,
}

/// The request of `POST /solve`; its name, like those of the next two aliases, is that of the
/// OpenAPI document.
pub type SolveRequest = PositionRequest<Request>;
pub type FmcRequest = PositionRequest<fmc::PipelineRequest>;
pub type InsertionsRequest = PositionRequest<fmc::InsertionsRequest>;

/// The fields of a request, with the name of the request in the OpenAPI document.
pub trait Fields: DeserializeOwned + ToSchema {
    /// The name of the request in the OpenAPI document.
    const NAME: &'static str;
}

impl Fields for Request {
    const NAME: &'static str = "SolveRequest";
}

impl Fields for fmc::PipelineRequest {
    const NAME: &'static str = "FmcRequest";
}

impl Fields for fmc::InsertionsRequest {
    const NAME: &'static str = "InsertionsRequest";
}

/// Parses the fields of a request; an error names the field.
fn with_paths<'de, R: DeserializeOwned, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<R, D::Error> {
    serde_path_to_error::deserialize(AllFields(deserializer)).map_err(serde::de::Error::custom)
}

/// Deserializer that passes all fields to a struct, so that the struct rejects unknown ones.
/// Without it, serde passes to a flattened struct only the fields that it knows.
struct AllFields<D>(D);

impl<'de, D: Deserializer<'de>> Deserializer<'de> for AllFields<D> {
    type Error = D::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_map(visitor)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct newtype_struct
        seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

impl<R: Fields> PartialSchema for PositionRequest<R> {
    fn schema() -> RefOr<Schema> {
        let position = ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some(
                "The position, in any format. It may also be named `text`.",
            ))
            .min_length(Some(1))
            .examples(["R U2 F'"])
            .build();
        let mut schema = R::schema();
        if let RefOr::T(Schema::Object(object)) = &mut schema {
            object.properties.insert("position".into(), position.into());
            object.required.push("position".into());
        }
        schema
    }
}

impl<R: Fields> ToSchema for PositionRequest<R> {
    fn name() -> Cow<'static, str> {
        R::NAME.into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        R::schemas(schemas);
    }
}
