//! What is asked of a position: the position, and the fields of a request. What cannot be read is refused in the words of serde, with the
//! path of the field (see [`ApiError`](crate::api_error::ApiError)).

use cosette_app::fewest::request as fewest;
use cosette_app::request::Request;
use serde::de::{DeserializeOwned, Visitor};
use serde::{Deserialize, Deserializer};
use std::borrow::Cow;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

/// A position, and what is asked of it.
#[derive(Debug, Deserialize)]
#[serde(bound(deserialize = "R: DeserializeOwned"), expecting = "an object with a position")]
pub struct Posed<R> {
    /// The position, in any format. It may also be named `text`.
    #[serde(alias = "text")]
    pub position: String,
    /// What is asked of it.
    #[serde(flatten, deserialize_with = "with_paths")]
    pub request: R,
}

/// The names under which the OpenAPI document has them.
pub type SolveRequest = Posed<Request>;
pub type FewestRequest = Posed<fewest::Request>;
pub type InsertionsRequest = Posed<fewest::InsertionsRequest>;

/// The fields of a request, as the OpenAPI document names them with the position.
pub trait Fields: DeserializeOwned + ToSchema {
    /// The name.
    const NAME: &'static str;
}

impl Fields for Request {
    const NAME: &'static str = "SolveRequest";
}

impl Fields for fewest::Request {
    const NAME: &'static str = "FewestRequest";
}

impl Fields for fewest::InsertionsRequest {
    const NAME: &'static str = "InsertionsRequest";
}

/// Reads the fields of a request; an error names the field.
fn with_paths<'de, R: DeserializeOwned, D: Deserializer<'de>>(deserializer: D) -> Result<R, D::Error> {
    serde_path_to_error::deserialize(AllFields(deserializer)).map_err(serde::de::Error::custom)
}

/// Gives a struct all fields that there are, so that it refuses unknown ones: a flattened struct is given those that it knows.
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

impl<R: Fields> PartialSchema for Posed<R> {
    fn schema() -> RefOr<Schema> {
        let position = ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some("The position, in any format. It may also be named `text`."))
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

impl<R: Fields> ToSchema for Posed<R> {
    fn name() -> Cow<'static, str> {
        R::NAME.into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        R::schemas(schemas);
    }
}
