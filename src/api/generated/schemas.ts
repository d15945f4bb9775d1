/**
 * Generated from ../templates by `npm run build:validators`. Never edited by hand: change the types and run that again.
 */
export const bodySchemas = {
    version: "3.1",
    components: {
        schemas: {
            CollectionSchema: {
                type: "object",
                properties: {
                    name: {
                        $ref: "#/components/schemas/Name"
                    },
                    fields: {
                        type: "array",
                        items: {
                            $ref: "#/components/schemas/Field"
                        },
                        minItems: 1,
                        maxItems: 255
                    },
                    typo_tolerance: {
                        oneOf: [
                            {
                                type: "null"
                            },
                            {
                                $ref: "#/components/schemas/TypoTolerance"
                            }
                        ]
                    },
                    default_sorting_field: {
                        oneOf: [
                            {
                                type: "null"
                            },
                            {
                                type: "string"
                            }
                        ],
                        description: "a field with sort: true; breaks ties, descending. Default: null."
                    },
                    ranking: {
                        oneOf: [
                            {
                                type: "null"
                            },
                            {
                                "const": "best"
                            },
                            {
                                "const": "bm25"
                            }
                        ],
                        description: "of searches by relevance: BM25 with bonuses for nearness and exactness, or BM25 alone. Default: \"best\"."
                    },
                    near_ties: {
                        oneOf: [
                            {
                                type: "null"
                            },
                            {
                                type: "boolean"
                            }
                        ],
                        description: "relevance within 2 % is a tie, which default_sorting_field breaks. Default: false."
                    },
                    compress_documents: {
                        oneOf: [
                            {
                                type: "null"
                            },
                            {
                                type: "boolean"
                            }
                        ],
                        description: "stored documents are packed when segments are merged. Default: true."
                    },
                    created_at: {
                        description: "ignored, so that a collection can be posted back as it was shown"
                    },
                    num_documents: {
                        description: "ignored"
                    },
                    num_segments: {
                        description: "ignored"
                    },
                    change: {
                        description: "ignored"
                    }
                },
                required: [
                    "name",
                    "fields"
                ]
            },
            Name: {
                type: "string",
                pattern: "^[A-Za-z][A-Za-z0-9_-]{0,63}$",
                description: "A letter, then letters, digits, `_` and `-`."
            },
            Field: {
                type: "object",
                properties: {
                    name: {
                        $ref: "#/components/schemas/Name"
                    },
                    type: {
                        oneOf: [
                            {
                                "const": "text"
                            },
                            {
                                "const": "keyword"
                            },
                            {
                                "const": "int"
                            },
                            {
                                "const": "float"
                            },
                            {
                                "const": "bool"
                            },
                            {
                                "const": "date"
                            }
                        ]
                    },
                    facet: {
                        oneOf: [
                            {
                                type: "null"
                            },
                            {
                                type: "boolean"
                            }
                        ],
                        description: "may be used in `facet`. Default: false."
                    },
                    filter: {
                        oneOf: [
                            {
                                type: "null"
                            },
                            {
                                type: "boolean"
                            }
                        ],
                        description: "may be used in `filter`. Default: false."
                    },
                    sort: {
                        oneOf: [
                            {
                                type: "null"
                            },
                            {
                                type: "boolean"
                            }
                        ],
                        description: "may be used in `sort`. Default: false."
                    },
                    index: {
                        oneOf: [
                            {
                                type: "null"
                            },
                            {
                                type: "boolean"
                            }
                        ],
                        description: "text: searched. Default: true."
                    },
                    optional: {
                        oneOf: [
                            {
                                type: "null"
                            },
                            {
                                type: "boolean"
                            }
                        ],
                        description: "documents may omit it. Default: true."
                    },
                    boost: {
                        oneOf: [
                            {
                                type: "null"
                            },
                            {
                                type: "number",
                                minimum: 0
                            }
                        ],
                        description: "relevance multiplier; null: 1. Default: null."
                    },
                    stem: {
                        oneOf: [
                            {
                                type: "null"
                            },
                            {
                                "const": "arabic"
                            },
                            {
                                "const": "armenian"
                            },
                            {
                                "const": "basque"
                            },
                            {
                                "const": "catalan"
                            },
                            {
                                "const": "danish"
                            },
                            {
                                "const": "dutch"
                            },
                            {
                                "const": "english"
                            },
                            {
                                "const": "esperanto"
                            },
                            {
                                "const": "estonian"
                            },
                            {
                                "const": "finnish"
                            },
                            {
                                "const": "french"
                            },
                            {
                                "const": "german"
                            },
                            {
                                "const": "greek"
                            },
                            {
                                "const": "hungarian"
                            },
                            {
                                "const": "indonesian"
                            },
                            {
                                "const": "irish"
                            },
                            {
                                "const": "italian"
                            },
                            {
                                "const": "lithuanian"
                            },
                            {
                                "const": "norwegian"
                            },
                            {
                                "const": "portuguese"
                            },
                            {
                                "const": "romanian"
                            },
                            {
                                "const": "russian"
                            },
                            {
                                "const": "serbian"
                            },
                            {
                                "const": "spanish"
                            },
                            {
                                "const": "swedish"
                            },
                            {
                                "const": "turkish"
                            },
                            {
                                "const": "yiddish"
                            }
                        ],
                        description: "text: other forms of a word are found, in this language. Default: null."
                    }
                },
                required: [
                    "name",
                    "type"
                ]
            },
            TypoTolerance: {
                type: "object",
                properties: {
                    enabled: {
                        oneOf: [
                            {
                                type: "null"
                            },
                            {
                                type: "boolean"
                            }
                        ],
                        description: "whether queries forgive typos. Default: true."
                    },
                    one_typo_min_len: {
                        oneOf: [
                            {
                                type: "null"
                            },
                            {
                                type: "integer",
                                minimum: 1,
                                maximum: 64
                            }
                        ],
                        description: "code points from which a token may be one edit off. Default: 4."
                    },
                    two_typo_min_len: {
                        oneOf: [
                            {
                                type: "null"
                            },
                            {
                                type: "integer",
                                minimum: 1,
                                maximum: 64
                            }
                        ],
                        description: "code points from which a token may be two edits off. Default: 8."
                    },
                    max_typos: {
                        oneOf: [
                            {
                                type: "null"
                            },
                            {
                                type: "integer",
                                minimum: 0,
                                maximum: 2
                            }
                        ],
                        description: "edits that any token may be off. Default: 2."
                    }
                },
                required: []
            },
            CollectionView: {
                type: "object",
                properties: {
                    name: {
                        $ref: "#/components/schemas/Name"
                    },
                    fields: {
                        type: "array",
                        items: {
                            $ref: "#/components/schemas/FieldView"
                        }
                    },
                    typo_tolerance: {
                        $ref: "#/components/schemas/TypoToleranceView"
                    },
                    default_sorting_field: {
                        oneOf: [
                            {
                                type: "null"
                            },
                            {
                                type: "string"
                            }
                        ],
                        description: "a field with sort: true; breaks ties, descending"
                    },
                    ranking: {
                        oneOf: [
                            {
                                "const": "best"
                            },
                            {
                                "const": "bm25"
                            }
                        ],
                        description: "of searches by relevance; only when given"
                    },
                    near_ties: {
                        type: "boolean",
                        description: "whether relevance within 2 % is a tie; only when given"
                    },
                    compress_documents: {
                        type: "boolean",
                        description: "whether stored documents are packed; only when given"
                    },
                    created_at: {
                        type: "integer",
                        minimum: 0,
                        description: "Unix time in milliseconds"
                    },
                    num_documents: {
                        type: "integer",
                        minimum: 0
                    },
                    num_segments: {
                        type: "integer",
                        minimum: 0
                    },
                    change: {
                        $ref: "#/components/schemas/SchemaChangeView",
                        description: "only while there is a change of the schema, and after one that was given up"
                    }
                },
                required: [
                    "name",
                    "fields",
                    "typo_tolerance",
                    "default_sorting_field",
                    "created_at",
                    "num_documents",
                    "num_segments"
                ]
            },
            FieldView: {
                type: "object",
                properties: {
                    name: {
                        $ref: "#/components/schemas/Name"
                    },
                    type: {
                        oneOf: [
                            {
                                "const": "text"
                            },
                            {
                                "const": "keyword"
                            },
                            {
                                "const": "int"
                            },
                            {
                                "const": "float"
                            },
                            {
                                "const": "bool"
                            },
                            {
                                "const": "date"
                            }
                        ]
                    },
                    facet: {
                        type: "boolean",
                        description: "may be used in `facet`"
                    },
                    filter: {
                        type: "boolean",
                        description: "may be used in `filter`"
                    },
                    sort: {
                        type: "boolean",
                        description: "may be used in `sort`"
                    },
                    index: {
                        type: "boolean",
                        description: "text: searched"
                    },
                    optional: {
                        type: "boolean",
                        description: "documents may omit it"
                    },
                    boost: {
                        oneOf: [
                            {
                                type: "null"
                            },
                            {
                                type: "number"
                            }
                        ],
                        description: "relevance multiplier; null: 1"
                    },
                    stem: {
                        oneOf: [
                            {
                                "const": "arabic"
                            },
                            {
                                "const": "armenian"
                            },
                            {
                                "const": "basque"
                            },
                            {
                                "const": "catalan"
                            },
                            {
                                "const": "danish"
                            },
                            {
                                "const": "dutch"
                            },
                            {
                                "const": "english"
                            },
                            {
                                "const": "esperanto"
                            },
                            {
                                "const": "estonian"
                            },
                            {
                                "const": "finnish"
                            },
                            {
                                "const": "french"
                            },
                            {
                                "const": "german"
                            },
                            {
                                "const": "greek"
                            },
                            {
                                "const": "hungarian"
                            },
                            {
                                "const": "indonesian"
                            },
                            {
                                "const": "irish"
                            },
                            {
                                "const": "italian"
                            },
                            {
                                "const": "lithuanian"
                            },
                            {
                                "const": "norwegian"
                            },
                            {
                                "const": "portuguese"
                            },
                            {
                                "const": "romanian"
                            },
                            {
                                "const": "russian"
                            },
                            {
                                "const": "serbian"
                            },
                            {
                                "const": "spanish"
                            },
                            {
                                "const": "swedish"
                            },
                            {
                                "const": "turkish"
                            },
                            {
                                "const": "yiddish"
                            }
                        ],
                        description: "text: other forms of a word are found, in this language; shown only when given"
                    }
                },
                required: [
                    "name",
                    "type",
                    "facet",
                    "filter",
                    "sort",
                    "index",
                    "optional",
                    "boost"
                ],
                description: "A field with every default filled in."
            },
            TypoToleranceView: {
                type: "object",
                properties: {
                    enabled: {
                        type: "boolean"
                    },
                    one_typo_min_len: {
                        type: "integer",
                        minimum: 0,
                        description: "code points from which a token may be one edit off"
                    },
                    two_typo_min_len: {
                        type: "integer",
                        minimum: 0,
                        description: "code points from which a token may be two edits off"
                    },
                    max_typos: {
                        type: "integer",
                        minimum: 0,
                        description: "edits that any token may be off"
                    }
                },
                required: [
                    "enabled",
                    "one_typo_min_len",
                    "two_typo_min_len",
                    "max_typos"
                ],
                description: "The typo settings of a collection, with every default filled in."
            },
            SchemaChangeView: {
                type: "object",
                properties: {
                    state: {
                        oneOf: [
                            {
                                "const": "running"
                            },
                            {
                                "const": "refused"
                            }
                        ]
                    },
                    documents: {
                        type: "integer",
                        minimum: 0,
                        description: "documents indexed anew"
                    },
                    message: {
                        oneOf: [
                            {
                                type: "null"
                            },
                            {
                                type: "string"
                            }
                        ],
                        description: "why it was given up"
                    }
                },
                required: [
                    "state",
                    "documents",
                    "message"
                ],
                description: "A change of the schema that is under way, or was given up."
            },
            SchemaChange: {
                type: "object",
                properties: {
                    fields: {
                        oneOf: [
                            {
                                type: "null"
                            },
                            {
                                type: "array",
                                items: {
                                    $ref: "#/components/schemas/FieldChange"
                                }
                            }
                        ]
                    },
                    typo_tolerance: {
                        oneOf: [
                            {
                                type: "null"
                            },
                            {
                                $ref: "#/components/schemas/TypoToleranceChange"
                            }
                        ]
                    },
                    ranking: {
                        oneOf: [
                            {
                                type: "null"
                            },
                            {
                                "const": "best"
                            },
                            {
                                "const": "bm25"
                            }
                        ],
                        description: "of searches by relevance: BM25 with bonuses for nearness and exactness, or BM25 alone. Default: \"best\"."
                    },
                    default_sorting_field: {
                        oneOf: [
                            {
                                type: "null"
                            },
                            {
                                type: "string"
                            }
                        ],
                        description: "a field with sort: true; breaks ties, descending. Default: null."
                    },
                    near_ties: {
                        oneOf: [
                            {
                                type: "null"
                            },
                            {
                                type: "boolean"
                            }
                        ],
                        description: "relevance within 2 % is a tie, which default_sorting_field breaks. Default: false."
                    },
                    compress_documents: {
                        oneOf: [
                            {
                                type: "null"
                            },
                            {
                                type: "boolean"
                            }
                        ],
                        description: "stored documents are packed when segments are merged. Default: true."
                    }
                },
                required: [],
                description: "What is to change of a collection; keys that are not given stay as they are, null: the default."
            },
            FieldChange: {
                type: "object",
                properties: {
                    type: {
                        oneOf: [
                            {
                                "const": "text"
                            },
                            {
                                "const": "keyword"
                            },
                            {
                                "const": "int"
                            },
                            {
                                "const": "float"
                            },
                            {
                                "const": "bool"
                            },
                            {
                                "const": "date"
                            }
                        ],
                        description: "of a new field; cannot change"
                    },
                    drop: {
                        oneOf: [
                            {
                                type: "null"
                            },
                            {
                                type: "boolean"
                            }
                        ],
                        description: "the field goes. Default: false."
                    },
                    filter: {
                        oneOf: [
                            {
                                type: "null"
                            },
                            {
                                type: "boolean"
                            }
                        ],
                        description: "may be used in `filter`. Default: false."
                    },
                    sort: {
                        oneOf: [
                            {
                                type: "null"
                            },
                            {
                                type: "boolean"
                            }
                        ],
                        description: "may be used in `sort`. Default: false."
                    },
                    facet: {
                        oneOf: [
                            {
                                type: "null"
                            },
                            {
                                type: "boolean"
                            }
                        ],
                        description: "may be used in `facet`. Default: false."
                    },
                    name: {
                        $ref: "#/components/schemas/Name"
                    },
                    index: {
                        oneOf: [
                            {
                                type: "null"
                            },
                            {
                                type: "boolean"
                            }
                        ],
                        description: "text: searched. Default: true."
                    },
                    optional: {
                        oneOf: [
                            {
                                type: "null"
                            },
                            {
                                type: "boolean"
                            }
                        ],
                        description: "documents may omit it. Default: true."
                    },
                    boost: {
                        oneOf: [
                            {
                                type: "null"
                            },
                            {
                                type: "number",
                                minimum: 0
                            }
                        ],
                        description: "relevance multiplier; null: 1. Default: null."
                    },
                    stem: {
                        oneOf: [
                            {
                                type: "null"
                            },
                            {
                                "const": "arabic"
                            },
                            {
                                "const": "armenian"
                            },
                            {
                                "const": "basque"
                            },
                            {
                                "const": "catalan"
                            },
                            {
                                "const": "danish"
                            },
                            {
                                "const": "dutch"
                            },
                            {
                                "const": "english"
                            },
                            {
                                "const": "esperanto"
                            },
                            {
                                "const": "estonian"
                            },
                            {
                                "const": "finnish"
                            },
                            {
                                "const": "french"
                            },
                            {
                                "const": "german"
                            },
                            {
                                "const": "greek"
                            },
                            {
                                "const": "hungarian"
                            },
                            {
                                "const": "indonesian"
                            },
                            {
                                "const": "irish"
                            },
                            {
                                "const": "italian"
                            },
                            {
                                "const": "lithuanian"
                            },
                            {
                                "const": "norwegian"
                            },
                            {
                                "const": "portuguese"
                            },
                            {
                                "const": "romanian"
                            },
                            {
                                "const": "russian"
                            },
                            {
                                "const": "serbian"
                            },
                            {
                                "const": "spanish"
                            },
                            {
                                "const": "swedish"
                            },
                            {
                                "const": "turkish"
                            },
                            {
                                "const": "yiddish"
                            }
                        ],
                        description: "text: other forms of a word are found, in this language. Default: null."
                    }
                },
                required: [
                    "name"
                ],
                description: "A field to add, or what is to change of one; keys that are not given stay as they are, null: the default."
            },
            TypoToleranceChange: {
                type: "object",
                properties: {
                    enabled: {
                        oneOf: [
                            {
                                type: "null"
                            },
                            {
                                type: "boolean"
                            }
                        ],
                        description: "whether queries forgive typos. Default: true."
                    },
                    one_typo_min_len: {
                        oneOf: [
                            {
                                type: "null"
                            },
                            {
                                type: "integer",
                                minimum: 1,
                                maximum: 64
                            }
                        ],
                        description: "code points from which a token may be one edit off. Default: 4."
                    },
                    two_typo_min_len: {
                        oneOf: [
                            {
                                type: "null"
                            },
                            {
                                type: "integer",
                                minimum: 1,
                                maximum: 64
                            }
                        ],
                        description: "code points from which a token may be two edits off. Default: 8."
                    },
                    max_typos: {
                        oneOf: [
                            {
                                type: "null"
                            },
                            {
                                type: "integer",
                                minimum: 0,
                                maximum: 2
                            }
                        ],
                        description: "edits that any token may be off. Default: 2."
                    }
                },
                required: [],
                description: "What is to change of the typo settings; keys that are not given stay as they are, null: the default."
            },
            SchemaChangeCheck: {
                type: "object",
                properties: {
                    documents: {
                        type: "integer",
                        minimum: 0,
                        description: "those of the collection"
                    },
                    misfits: {
                        type: "integer",
                        minimum: 0,
                        description: "those that would not fit"
                    },
                    first: {
                        type: "array",
                        items: {
                            type: "object",
                            properties: {
                                id: {
                                    type: "string"
                                },
                                message: {
                                    type: "string"
                                }
                            },
                            required: [
                                "id",
                                "message"
                            ]
                        },
                        description: "some of them"
                    }
                },
                required: [
                    "documents",
                    "misfits",
                    "first"
                ],
                description: "What a change of the schema would meet."
            },
            AliasBody: {
                type: "object",
                properties: {
                    collection: {
                        type: "string",
                        description: "name of the collection that it is to stand for; not of another alias"
                    },
                    name: {
                        oneOf: [
                            {
                                type: "null"
                            },
                            {
                                type: "string"
                            }
                        ],
                        description: "as in the path, if given: so that an alias can be sent as it was shown"
                    }
                },
                required: [
                    "collection"
                ],
                description: "Aliases of collections on the wire. Doc comments are the descriptions in /openapi.json."
            },
            AliasView: {
                type: "object",
                properties: {
                    name: {
                        type: "string"
                    },
                    collection: {
                        type: "string",
                        description: "name of the collection"
                    }
                },
                required: [
                    "name",
                    "collection"
                ],
                description: "A name that stands wherever that of its collection does."
            },
            Document: {
                type: "object",
                properties: {
                    id: {
                        oneOf: [
                            {
                                type: "string"
                            },
                            {
                                type: "integer"
                            }
                        ],
                        description: "1 to 256 bytes"
                    }
                },
                required: [
                    "id"
                ],
                description: "A flat object: `id` and any fields. Returned exactly as it was sent.",
                additionalProperties: {}
            },
            ShownDocument: {
                type: "object",
                properties: {
                    id: {
                        oneOf: [
                            {
                                type: "string"
                            },
                            {
                                type: "integer"
                            }
                        ],
                        description: "1 to 256 bytes; absent where it was not asked for"
                    }
                },
                required: [],
                description: "A document as it was sent, or of it what `include_fields` and `exclude_fields` leave.",
                additionalProperties: {}
            },
            BatchReport: {
                type: "object",
                properties: {
                    num_indexed: {
                        type: "integer",
                        minimum: 0
                    },
                    num_failed: {
                        type: "integer",
                        minimum: 0
                    },
                    results: {
                        type: "array",
                        items: {
                            $ref: "#/components/schemas/DocumentOutcome"
                        },
                        description: "one entry for each document, in the order sent"
                    }
                },
                required: [
                    "num_indexed",
                    "num_failed",
                    "results"
                ]
            },
            DocumentOutcome: {
                type: "object",
                properties: {
                    success: {
                        type: "boolean"
                    },
                    id: {
                        type: "string",
                        description: "empty when it could not be read"
                    },
                    error: {
                        oneOf: [
                            {
                                type: "null"
                            },
                            {
                                type: "string"
                            }
                        ],
                        description: "why it was refused; null: it was not"
                    },
                    code: {
                        oneOf: [
                            {
                                type: "null"
                            },
                            {
                                type: "string"
                            }
                        ],
                        description: "one of the error codes; null: it was not refused"
                    }
                },
                required: [
                    "success",
                    "id",
                    "error",
                    "code"
                ]
            },
            DeletedDocuments: {
                type: "object",
                properties: {
                    num_deleted: {
                        type: "integer",
                        minimum: 0
                    }
                },
                required: [
                    "num_deleted"
                ],
                description: "What a deletion by filter did."
            },
            SynonymBody: {
                type: "object",
                properties: {
                    root: {
                        oneOf: [
                            {
                                type: "null"
                            },
                            {
                                $ref: "#/components/schemas/SynonymText"
                            }
                        ],
                        description: "a query for it also finds `synonyms`, and not the other way round; null: each of `synonyms` also finds the others. Default: null."
                    },
                    synonyms: {
                        $ref: "#/components/schemas/SynonymList"
                    },
                    id: {
                        oneOf: [
                            {
                                type: "null"
                            },
                            {
                                type: "string"
                            }
                        ],
                        description: "as in the path, if given: so that a synonym can be sent as it was shown"
                    }
                },
                required: [
                    "synonyms"
                ]
            },
            SynonymText: {
                type: "string",
                maxLength: 256,
                description: "1 to 8 words."
            },
            SynonymList: {
                type: "array",
                items: {
                    $ref: "#/components/schemas/SynonymText"
                },
                minItems: 1,
                maxItems: 64
            },
            SynonymView: {
                type: "object",
                properties: {
                    id: {
                        type: "string",
                        description: "letters, digits, `_` and `-`"
                    },
                    root: {
                        type: "string",
                        description: "a query for it also finds `synonyms`, and not the other way round; absent: each of `synonyms` also finds the others"
                    },
                    synonyms: {
                        type: "array",
                        items: {
                            type: "string"
                        }
                    }
                },
                required: [
                    "id",
                    "synonyms"
                ],
                description: "Words that stand for one another, or for a root."
            },
            StopWordsBody: {
                type: "object",
                properties: {
                    language: {
                        oneOf: [
                            {
                                type: "null"
                            },
                            {
                                type: "string"
                            }
                        ],
                        description: "a Snowball language whose stop words are meant. Default: null."
                    },
                    words: {
                        oneOf: [
                            {
                                type: "null"
                            },
                            {
                                type: "array",
                                items: {
                                    type: "string"
                                },
                                minItems: 1,
                                maxItems: 10000
                            }
                        ],
                        description: "single words. Default: null."
                    }
                },
                required: [],
                description: "Either key."
            },
            StopWordsView: {
                type: "object",
                properties: {
                    language: {
                        type: "string",
                        description: "a Snowball language whose stop words are meant"
                    },
                    words: {
                        type: "array",
                        items: {
                            type: "string"
                        }
                    }
                },
                required: [],
                description: "Words that a query drops when others are left."
            },
            SearchBody: {
                type: "object",
                properties: {
                    q: {
                        type: "string",
                        description: "the search query; empty or * matches every document"
                    },
                    query_by: {
                        oneOf: [
                            {
                                type: "string"
                            },
                            {
                                type: "array",
                                items: {
                                    type: "string"
                                }
                            }
                        ],
                        description: "comma-separated text fields (default: all)"
                    },
                    filter: {
                        type: "string",
                        description: "filter expression, e.g. `price:<5000 && brand:=Acme`"
                    },
                    sort: {
                        oneOf: [
                            {
                                type: "string"
                            },
                            {
                                type: "array",
                                items: {
                                    type: "string"
                                }
                            }
                        ],
                        description: "e.g. `price:asc,_text_match:desc` (default: relevance)"
                    },
                    facet: {
                        oneOf: [
                            {
                                type: "string"
                            },
                            {
                                type: "array",
                                items: {
                                    type: "string"
                                }
                            }
                        ],
                        description: "comma-separated facet fields"
                    },
                    facet_limit: {
                        type: "integer",
                        maximum: 1000,
                        minimum: 0,
                        description: "values shown of each facet field. Default: 100."
                    },
                    facet_sort: {
                        oneOf: [
                            {
                                "const": "count"
                            },
                            {
                                "const": "value"
                            }
                        ],
                        description: "which of them come first: the most frequent, or by value. Default: \"count\"."
                    },
                    facet_stats: {
                        type: "boolean",
                        description: "tells the least, largest, sum and average of numeric facet fields. Default: false."
                    },
                    facet_query: {
                        type: "string",
                        description: "`field:text`: of this facet field only values that begin with the text, e.g. `brand:lo`"
                    },
                    distinct: {
                        type: "string",
                        description: "a facet or sortable field: one hit, the best, for each of its values"
                    },
                    limit: {
                        type: "integer",
                        maximum: 250,
                        minimum: 0,
                        description: "results on this page. Default: 10."
                    },
                    offset: {
                        type: "integer",
                        maximum: 10000,
                        minimum: 0,
                        description: "results to skip; limit and offset together are at most its maximum. Default: 0."
                    },
                    prefix: {
                        type: "boolean",
                        description: "the last token also matches what it begins. Default: true."
                    },
                    typo_tolerance: {
                        type: "boolean",
                        description: "overrides the setting of the collection"
                    },
                    match_mode: {
                        oneOf: [
                            {
                                "const": "all"
                            },
                            {
                                "const": "any"
                            }
                        ],
                        description: "must all tokens match, or any. Default: \"all\"."
                    },
                    typo_threshold: {
                        type: "integer",
                        maximum: 10000,
                        minimum: 0,
                        description: "with fewer matches than this, known words are corrected, split and joined too; 0: never. Default: 10."
                    },
                    ranking: {
                        oneOf: [
                            {
                                "const": "best"
                            },
                            {
                                "const": "bm25"
                            }
                        ],
                        description: "bonuses for nearness and exactness, or BM25 alone (default: the collection's)"
                    },
                    highlight: {
                        oneOf: [
                            {
                                type: "string"
                            },
                            {
                                type: "array",
                                items: {
                                    type: "string"
                                }
                            }
                        ],
                        description: "comma-separated text fields of which each hit shows a snippet with its matches marked"
                    },
                    highlight_open: {
                        type: "string",
                        description: "stands before a match, at most 256 bytes. Default: \"<mark>\"."
                    },
                    highlight_close: {
                        type: "string",
                        description: "stands after a match, at most 256 bytes. Default: \"</mark>\"."
                    },
                    snippet_tokens: {
                        type: "integer",
                        maximum: 200,
                        minimum: 0,
                        description: "words of a snippet; 0: the whole value. Default: 30."
                    },
                    explain: {
                        type: "boolean",
                        description: "tells what each hit's score is made of. Default: false."
                    },
                    explain_id: {
                        type: "string",
                        description: "the id of a document: tells at which rank it is, or why it is no hit"
                    },
                    include_fields: {
                        oneOf: [
                            {
                                type: "string"
                            },
                            {
                                type: "array",
                                items: {
                                    type: "string"
                                }
                            }
                        ],
                        description: "comma-separated top-level fields that the document of a hit shows (default: all)"
                    },
                    exclude_fields: {
                        oneOf: [
                            {
                                type: "string"
                            },
                            {
                                type: "array",
                                items: {
                                    type: "string"
                                }
                            }
                        ],
                        description: "comma-separated top-level fields that it does not show"
                    },
                    strict: {
                        type: "boolean",
                        description: "refuses parameters that are not known, which else are ignored and named in the header `warning`. Default: false."
                    }
                },
                required: [],
                description: "The parameters of a search as a JSON object."
            },
            MultiSearchBody: {
                type: "object",
                properties: {
                    searches: {
                        type: "array",
                        items: {
                            $ref: "#/components/schemas/SearchOfCollection"
                        },
                        minItems: 1,
                        maxItems: 50,
                        description: "1 to 50, each of any collection"
                    },
                    strict: {
                        type: "boolean",
                        description: "refuses parameters that are not known, which else are ignored and named in the header `warning`. Default: false."
                    }
                },
                required: [
                    "searches"
                ]
            },
            SearchOfCollection: {
                type: "object",
                properties: {
                    q: {
                        type: "string",
                        description: "the search query; empty or * matches every document"
                    },
                    query_by: {
                        oneOf: [
                            {
                                type: "string"
                            },
                            {
                                type: "array",
                                items: {
                                    type: "string"
                                }
                            }
                        ],
                        description: "comma-separated text fields (default: all)"
                    },
                    filter: {
                        type: "string",
                        description: "filter expression, e.g. `price:<5000 && brand:=Acme`"
                    },
                    sort: {
                        oneOf: [
                            {
                                type: "string"
                            },
                            {
                                type: "array",
                                items: {
                                    type: "string"
                                }
                            }
                        ],
                        description: "e.g. `price:asc,_text_match:desc` (default: relevance)"
                    },
                    facet: {
                        oneOf: [
                            {
                                type: "string"
                            },
                            {
                                type: "array",
                                items: {
                                    type: "string"
                                }
                            }
                        ],
                        description: "comma-separated facet fields"
                    },
                    facet_limit: {
                        type: "integer",
                        maximum: 1000,
                        minimum: 0,
                        description: "values shown of each facet field. Default: 100."
                    },
                    facet_sort: {
                        oneOf: [
                            {
                                "const": "count"
                            },
                            {
                                "const": "value"
                            }
                        ],
                        description: "which of them come first: the most frequent, or by value. Default: \"count\"."
                    },
                    facet_stats: {
                        type: "boolean",
                        description: "tells the least, largest, sum and average of numeric facet fields. Default: false."
                    },
                    facet_query: {
                        type: "string",
                        description: "`field:text`: of this facet field only values that begin with the text, e.g. `brand:lo`"
                    },
                    distinct: {
                        type: "string",
                        description: "a facet or sortable field: one hit, the best, for each of its values"
                    },
                    limit: {
                        type: "integer",
                        maximum: 250,
                        minimum: 0,
                        description: "results on this page. Default: 10."
                    },
                    offset: {
                        type: "integer",
                        maximum: 10000,
                        minimum: 0,
                        description: "results to skip; limit and offset together are at most its maximum. Default: 0."
                    },
                    prefix: {
                        type: "boolean",
                        description: "the last token also matches what it begins. Default: true."
                    },
                    typo_tolerance: {
                        type: "boolean",
                        description: "overrides the setting of the collection"
                    },
                    match_mode: {
                        oneOf: [
                            {
                                "const": "all"
                            },
                            {
                                "const": "any"
                            }
                        ],
                        description: "must all tokens match, or any. Default: \"all\"."
                    },
                    typo_threshold: {
                        type: "integer",
                        maximum: 10000,
                        minimum: 0,
                        description: "with fewer matches than this, known words are corrected, split and joined too; 0: never. Default: 10."
                    },
                    ranking: {
                        oneOf: [
                            {
                                "const": "best"
                            },
                            {
                                "const": "bm25"
                            }
                        ],
                        description: "bonuses for nearness and exactness, or BM25 alone (default: the collection's)"
                    },
                    highlight: {
                        oneOf: [
                            {
                                type: "string"
                            },
                            {
                                type: "array",
                                items: {
                                    type: "string"
                                }
                            }
                        ],
                        description: "comma-separated text fields of which each hit shows a snippet with its matches marked"
                    },
                    highlight_open: {
                        type: "string",
                        description: "stands before a match, at most 256 bytes. Default: \"<mark>\"."
                    },
                    highlight_close: {
                        type: "string",
                        description: "stands after a match, at most 256 bytes. Default: \"</mark>\"."
                    },
                    snippet_tokens: {
                        type: "integer",
                        maximum: 200,
                        minimum: 0,
                        description: "words of a snippet; 0: the whole value. Default: 30."
                    },
                    explain: {
                        type: "boolean",
                        description: "tells what each hit's score is made of. Default: false."
                    },
                    explain_id: {
                        type: "string",
                        description: "the id of a document: tells at which rank it is, or why it is no hit"
                    },
                    include_fields: {
                        oneOf: [
                            {
                                type: "string"
                            },
                            {
                                type: "array",
                                items: {
                                    type: "string"
                                }
                            }
                        ],
                        description: "comma-separated top-level fields that the document of a hit shows (default: all)"
                    },
                    exclude_fields: {
                        oneOf: [
                            {
                                type: "string"
                            },
                            {
                                type: "array",
                                items: {
                                    type: "string"
                                }
                            }
                        ],
                        description: "comma-separated top-level fields that it does not show"
                    },
                    strict: {
                        type: "boolean",
                        description: "refuses parameters that are not known, which else are ignored and named in the header `warning`. Default: false."
                    },
                    collection: {
                        type: "string"
                    }
                },
                required: [
                    "collection"
                ],
                description: "One of several searches: its parameters, and the collection."
            },
            MultiSearchResponse: {
                type: "object",
                properties: {
                    results: {
                        type: "array",
                        items: {
                            oneOf: [
                                {
                                    $ref: "#/components/schemas/SearchResponse"
                                },
                                {
                                    $ref: "#/components/schemas/ErrorBody"
                                }
                            ]
                        },
                        description: "for each search, in the order asked, what it alone would be answered"
                    }
                },
                required: [
                    "results"
                ]
            },
            SearchResponse: {
                type: "object",
                properties: {
                    found: {
                        type: "integer",
                        minimum: 0,
                        description: "all matching documents; with `distinct` all values of the field among them, and all documents without one"
                    },
                    found_is_exact: {
                        type: "boolean",
                        description: "always true: every match is counted"
                    },
                    search_time_ms: {
                        type: "number"
                    },
                    hits: {
                        type: "array",
                        items: {
                            $ref: "#/components/schemas/Hit"
                        }
                    },
                    facets: {
                        oneOf: [
                            {
                                type: "null"
                            },
                            {
                                type: "object",
                                properties: {},
                                required: [],
                                additionalProperties: {
                                    type: "object",
                                    properties: {},
                                    required: [],
                                    additionalProperties: {
                                        type: "integer",
                                        minimum: 0
                                    }
                                }
                            }
                        ],
                        description: "for each facet field, value to count; null without `facet`"
                    },
                    facet_stats: {
                        oneOf: [
                            {
                                type: "null"
                            },
                            {
                                type: "object",
                                properties: {},
                                required: [],
                                additionalProperties: {
                                    $ref: "#/components/schemas/FacetStats"
                                }
                            }
                        ],
                        description: "for each facet field of numbers or dates; only with `facet_stats=true`, null without `facet`"
                    },
                    explain: {
                        $ref: "#/components/schemas/QueryExplanation",
                        description: "how the query was read; only with `explain=true` or `explain_id`"
                    }
                },
                required: [
                    "found",
                    "found_is_exact",
                    "search_time_ms",
                    "hits",
                    "facets"
                ]
            },
            Hit: {
                type: "object",
                properties: {
                    document: {
                        $ref: "#/components/schemas/ShownDocument"
                    },
                    text_match: {
                        type: "number",
                        description: "relevance: BM25, times the bonuses of ranking `best`"
                    },
                    distinct_count: {
                        type: "integer",
                        minimum: 0,
                        description: "with `distinct`: how many matching documents have the value of this one"
                    },
                    explain: {
                        $ref: "#/components/schemas/ScoreExplanation",
                        description: "what the score is made of; only with `explain=true`"
                    },
                    highlight: {
                        type: "object",
                        properties: {},
                        required: [],
                        description: "with `highlight`: for each of its fields that the document holds",
                        additionalProperties: {
                            $ref: "#/components/schemas/Highlight"
                        }
                    }
                },
                required: [
                    "document",
                    "text_match"
                ]
            },
            ScoreExplanation: {
                type: "object",
                properties: {
                    parts: {
                        type: "array",
                        items: {
                            $ref: "#/components/schemas/ScorePart"
                        },
                        description: "in the order in which they are added up"
                    },
                    bm25: {
                        type: "number",
                        description: "`adds` of all parts, added up"
                    },
                    nearness: {
                        oneOf: [
                            {
                                type: "null"
                            },
                            {
                                type: "number"
                            }
                        ],
                        description: "1 to 1.8, by how near the tokens stand; null: not among the 250 best by BM25, or no bonuses in this order"
                    },
                    exactness: {
                        oneOf: [
                            {
                                type: "null"
                            },
                            {
                                type: "number"
                            }
                        ],
                        description: "1.5: a field is what was typed; 1.15: it begins so; null: as nearness"
                    },
                    text_match: {
                        type: "number",
                        description: "bm25 * (nearness * exactness)"
                    }
                },
                required: [
                    "parts",
                    "bm25",
                    "nearness",
                    "exactness",
                    "text_match"
                ],
                description: "What the score of a document is made of."
            },
            ScorePart: {
                type: "object",
                properties: {
                    kind: {
                        oneOf: [
                            {
                                "const": "token"
                            },
                            {
                                "const": "phrase"
                            }
                        ]
                    },
                    text: {
                        type: "string"
                    },
                    repeats: {
                        type: "number",
                        description: "times that it was typed: its score counts as often"
                    },
                    idf: {
                        type: "number",
                        description: "of a token"
                    },
                    fields: {
                        type: "array",
                        items: {
                            $ref: "#/components/schemas/FieldScore"
                        },
                        description: "of a token: where its terms stand"
                    },
                    phrases: {
                        type: "array",
                        items: {
                            $ref: "#/components/schemas/PhraseScore"
                        },
                        description: "of a token: the phrases that stand for it; the best of them and of the terms counts"
                    },
                    tokens: {
                        type: "array",
                        items: {
                            $ref: "#/components/schemas/PhraseTokenScore"
                        },
                        description: "of a phrase: its tokens, in the order in which their scores are added up"
                    },
                    adds: {
                        type: "array",
                        items: {
                            type: "number"
                        },
                        description: "what is added to the score, one after another"
                    }
                },
                required: [
                    "kind",
                    "text",
                    "repeats",
                    "adds"
                ],
                description: "What a token, or a phrase, of the query adds to the score of the document."
            },
            FieldScore: {
                type: "object",
                properties: {
                    field: {
                        type: "string"
                    },
                    boost: {
                        type: "number"
                    },
                    score: {
                        type: "number",
                        description: "that of the best of the terms"
                    },
                    terms: {
                        type: "array",
                        items: {
                            $ref: "#/components/schemas/TermScore"
                        },
                        description: "the best first, at most 5"
                    },
                    more_terms: {
                        type: "number",
                        description: "further terms that are not shown"
                    }
                },
                required: [
                    "field",
                    "boost",
                    "score",
                    "terms",
                    "more_terms"
                ],
                description: "What a token finds in one field of the document."
            },
            TermScore: {
                type: "object",
                properties: {
                    term: {
                        type: "string"
                    },
                    kind: {
                        $ref: "#/components/schemas/MatchKind"
                    },
                    edits: {
                        type: "number",
                        description: "edits between the token and the term, or the beginning of it"
                    },
                    weight: {
                        type: "number"
                    },
                    occurrences: {
                        type: "number",
                        description: "how often the term stands in the field"
                    },
                    tf: {
                        type: "number",
                        description: "`occurrences` as the index keeps it: exact up to 4, a class beyond"
                    },
                    length: {
                        type: "number",
                        description: "tokens in the field as the index keeps them: exact for short fields, a class beyond"
                    },
                    tf_part: {
                        type: "number",
                        description: "tf * 2.2 / (tf + 1.2 * (0.25 + 0.75 * length / average_length))"
                    },
                    score: {
                        type: "number",
                        description: "weight * boost * idf * repeats * tf_part"
                    }
                },
                required: [
                    "term",
                    "kind",
                    "edits",
                    "weight",
                    "occurrences",
                    "tf",
                    "length",
                    "tf_part",
                    "score"
                ],
                description: "A term of the document that a token stands for, in one field."
            },
            MatchKind: {
                oneOf: [
                    {
                        "const": "stem"
                    },
                    {
                        "const": "typed"
                    },
                    {
                        "const": "completion"
                    },
                    {
                        "const": "correction"
                    },
                    {
                        "const": "mistyped_prefix"
                    },
                    {
                        "const": "synonym"
                    },
                    {
                        "const": "joined"
                    },
                    {
                        "const": "split"
                    }
                ],
                description: "Why a term stands for a token."
            },
            PhraseScore: {
                type: "object",
                properties: {
                    phrase: {
                        type: "string"
                    },
                    kind: {
                        $ref: "#/components/schemas/MatchKind"
                    },
                    weight: {
                        type: "number",
                        description: "as if a term with the idf of the token had counted 0.8: 0.8 * idf / sum of the idf of tokens; 0.8, shared by the typed tokens, where no term stands for the token"
                    },
                    score: {
                        type: "number",
                        description: "weight times the scores of the fields of all tokens, added up"
                    },
                    tokens: {
                        type: "array",
                        items: {
                            $ref: "#/components/schemas/PhraseTokenScore"
                        }
                    }
                },
                required: [
                    "phrase",
                    "kind",
                    "weight",
                    "score",
                    "tokens"
                ],
                description: "A phrase that stands for a token and that the document holds."
            },
            PhraseTokenScore: {
                type: "object",
                properties: {
                    token: {
                        type: "string"
                    },
                    idf: {
                        type: "number"
                    },
                    fields: {
                        type: "array",
                        items: {
                            $ref: "#/components/schemas/FieldScore"
                        }
                    }
                },
                required: [
                    "token",
                    "idf",
                    "fields"
                ],
                description: "A token of a phrase and what it finds in the document."
            },
            Highlight: {
                type: "object",
                properties: {
                    snippet: {
                        oneOf: [
                            {
                                type: "string"
                            },
                            {
                                type: "array",
                                items: {
                                    type: "string"
                                }
                            }
                        ],
                        description: "HTML: the text around the best matches, each between `highlight_open` and `highlight_close`; of an array a snippet for\neach value with a match, or of the first value when none has"
                    },
                    matched: {
                        type: "array",
                        items: {
                            type: "string"
                        },
                        description: "the distinct words that matched, as they stand in the text"
                    }
                },
                required: [
                    "snippet",
                    "matched"
                ]
            },
            FacetStats: {
                type: "object",
                properties: {
                    min: {
                        oneOf: [
                            {
                                type: "null"
                            },
                            {
                                type: "number"
                            }
                        ],
                        description: "null: there is no value"
                    },
                    max: {
                        oneOf: [
                            {
                                type: "null"
                            },
                            {
                                type: "number"
                            }
                        ]
                    },
                    sum: {
                        oneOf: [
                            {
                                type: "null"
                            },
                            {
                                type: "number"
                            }
                        ],
                        description: "of integers with all digits, also beyond 64 bits; of floats the nearest double, null when that is not finite"
                    },
                    avg: {
                        oneOf: [
                            {
                                type: "null"
                            },
                            {
                                type: "number"
                            }
                        ],
                        description: "the nearest double; null: there is no value"
                    }
                },
                required: [
                    "min",
                    "max",
                    "sum",
                    "avg"
                ],
                description: "Of the values of all matches, each once a document. Dates in milliseconds."
            },
            QueryExplanation: {
                type: "object",
                properties: {
                    match_mode: {
                        oneOf: [
                            {
                                "const": "all"
                            },
                            {
                                "const": "any"
                            }
                        ]
                    },
                    ranking: {
                        oneOf: [
                            {
                                "const": "best"
                            },
                            {
                                "const": "bm25"
                            }
                        ]
                    },
                    near_ties: {
                        type: "boolean",
                        description: "nearly equal scores count as equal, and the default sorting field orders them"
                    },
                    typo_threshold: {
                        type: "number"
                    },
                    stages: {
                        type: "array",
                        items: {
                            $ref: "#/components/schemas/StageReport"
                        }
                    },
                    parts: {
                        type: "array",
                        items: {
                            $ref: "#/components/schemas/QueryPart"
                        },
                        description: "in the order typed"
                    },
                    dropped: {
                        type: "array",
                        items: {
                            $ref: "#/components/schemas/DroppedToken"
                        }
                    },
                    excluded: {
                        type: "array",
                        items: {
                            type: "string"
                        }
                    },
                    documents: {
                        type: "number",
                        description: "N: documents of the collection"
                    },
                    fields: {
                        type: "array",
                        items: {
                            $ref: "#/components/schemas/FieldStatistics"
                        }
                    },
                    document: {
                        $ref: "#/components/schemas/DocumentExplanation",
                        description: "the document that explain_id names"
                    }
                },
                required: [
                    "match_mode",
                    "ranking",
                    "near_ties",
                    "typo_threshold",
                    "stages",
                    "parts",
                    "dropped",
                    "excluded",
                    "documents",
                    "fields"
                ],
                description: "How a query was read."
            },
            StageReport: {
                type: "object",
                properties: {
                    stage: {
                        type: "number"
                    },
                    found: {
                        oneOf: [
                            {
                                type: "null"
                            },
                            {
                                type: "number"
                            }
                        ],
                        description: "null: it was not tried"
                    },
                    answered: {
                        type: "boolean"
                    }
                },
                required: [
                    "stage",
                    "found",
                    "answered"
                ],
                description: "A reading of the query: the first takes tokens as typed where they are known, the second corrects these too."
            },
            QueryPart: {
                type: "object",
                properties: {
                    kind: {
                        oneOf: [
                            {
                                "const": "token"
                            },
                            {
                                "const": "phrase"
                            }
                        ]
                    },
                    text: {
                        type: "string"
                    },
                    repeats: {
                        type: "number"
                    },
                    known: {
                        type: "boolean",
                        description: "of a token: some document holds it, or what it begins when it is completed; others are corrected at once"
                    },
                    completed: {
                        type: "boolean",
                        description: "of a token: it also stands for what it begins"
                    },
                    documents: {
                        type: "number",
                        description: "of a token: documents that its idf comes from"
                    },
                    idf: {
                        type: "number",
                        description: "of a token: ln(1 + (N - documents + 0.5) / (documents + 0.5))"
                    },
                    terms: {
                        type: "array",
                        items: {
                            $ref: "#/components/schemas/TermGroup"
                        },
                        description: "of a token: the heaviest first"
                    },
                    phrases: {
                        type: "array",
                        items: {
                            $ref: "#/components/schemas/PhraseAlternative"
                        },
                        description: "of a token"
                    }
                },
                required: [
                    "kind",
                    "text",
                    "repeats"
                ],
                description: "A token, or a phrase, of the query and what it stands for."
            },
            TermGroup: {
                type: "object",
                properties: {
                    kind: {
                        $ref: "#/components/schemas/MatchKind"
                    },
                    edits: {
                        type: "number"
                    },
                    weight: {
                        type: "number"
                    },
                    count: {
                        type: "number",
                        description: "how many there are"
                    },
                    most_frequent: {
                        type: "array",
                        items: {
                            $ref: "#/components/schemas/NamedTerm"
                        },
                        description: "at most 5"
                    }
                },
                required: [
                    "kind",
                    "edits",
                    "weight",
                    "count",
                    "most_frequent"
                ],
                description: "Terms that stand for a token in the same way."
            },
            NamedTerm: {
                type: "object",
                properties: {
                    term: {
                        type: "string"
                    },
                    documents: {
                        type: "number"
                    }
                },
                required: [
                    "term",
                    "documents"
                ],
                description: "A term and the documents that hold it, in the queried field in which most do."
            },
            PhraseAlternative: {
                type: "object",
                properties: {
                    phrase: {
                        type: "string"
                    },
                    kind: {
                        $ref: "#/components/schemas/MatchKind"
                    },
                    weight: {
                        type: "number"
                    }
                },
                required: [
                    "phrase",
                    "kind",
                    "weight"
                ],
                description: "A phrase that stands for a token."
            },
            DroppedToken: {
                type: "object",
                properties: {
                    token: {
                        type: "string"
                    },
                    reason: {
                        oneOf: [
                            {
                                "const": "stop_word"
                            },
                            {
                                "const": "too_many_tokens"
                            }
                        ]
                    }
                },
                required: [
                    "token",
                    "reason"
                ],
                description: "A token of the query that nothing is searched for."
            },
            FieldStatistics: {
                type: "object",
                properties: {
                    field: {
                        type: "string"
                    },
                    boost: {
                        type: "number"
                    },
                    documents: {
                        type: "number",
                        description: "with a token in the field"
                    },
                    average_length: {
                        type: "number"
                    }
                },
                required: [
                    "field",
                    "boost",
                    "documents",
                    "average_length"
                ]
            },
            DocumentExplanation: {
                type: "object",
                properties: {
                    id: {
                        type: "string"
                    },
                    exists: {
                        type: "boolean",
                        description: "there is such a document"
                    },
                    is_hit: {
                        type: "boolean"
                    },
                    rank: {
                        oneOf: [
                            {
                                type: "null"
                            },
                            {
                                type: "number"
                            }
                        ],
                        description: "1 for the best; null: no hit, or beyond the first 10,000"
                    },
                    passes_filter: {
                        oneOf: [
                            {
                                type: "null"
                            },
                            {
                                type: "boolean"
                            }
                        ],
                        description: "null: there is no filter, or no document"
                    },
                    missing: {
                        type: "array",
                        items: {
                            type: "string"
                        },
                        description: "what it holds nothing for; with match_mode=any that is no reason as long as it holds something else"
                    },
                    excluded_by: {
                        type: "array",
                        items: {
                            type: "string"
                        },
                        description: "exclusions that it holds"
                    },
                    explain: {
                        oneOf: [
                            {
                                type: "null"
                            },
                            {
                                $ref: "#/components/schemas/ScoreExplanation"
                            }
                        ],
                        description: "what its score is made of, or would be; null: there is no document"
                    }
                },
                required: [
                    "id",
                    "exists",
                    "is_hit",
                    "rank",
                    "passes_filter",
                    "missing",
                    "excluded_by",
                    "explain"
                ],
                description: "Why a document is a hit, or none."
            },
            ErrorBody: {
                type: "object",
                properties: {
                    error: {
                        $ref: "#/components/schemas/ErrorDetail"
                    }
                },
                required: [
                    "error"
                ]
            },
            ErrorDetail: {
                type: "object",
                properties: {
                    code: {
                        type: "string",
                        description: "one of the codes that the endpoint names; stable"
                    },
                    message: {
                        type: "string",
                        description: "what, where, expected, got; for people"
                    }
                },
                required: [
                    "code",
                    "message"
                ]
            },
            SuggestResponse: {
                type: "object",
                properties: {
                    suggestions: {
                        type: "array",
                        items: {
                            $ref: "#/components/schemas/Suggestion"
                        }
                    },
                    search_time_ms: {
                        type: "number"
                    }
                },
                required: [
                    "suggestions",
                    "search_time_ms"
                ]
            },
            Suggestion: {
                type: "object",
                properties: {
                    text: {
                        type: "string",
                        description: "a term that completes or corrects the last token of the query"
                    },
                    count: {
                        type: "integer",
                        minimum: 0,
                        description: "documents that hold the term"
                    },
                    typos: {
                        type: "integer",
                        minimum: 0,
                        description: "edits between what was typed and the term"
                    }
                },
                required: [
                    "text",
                    "count",
                    "typos"
                ]
            },
            QueryList: {
                type: "object",
                properties: {
                    queries: {
                        type: "array",
                        items: {
                            $ref: "#/components/schemas/QueryEntry"
                        }
                    },
                    tracked_queries: {
                        type: "integer",
                        minimum: 0,
                        description: "queries held over all collections"
                    },
                    dropped_queries: {
                        type: "integer",
                        minimum: 0,
                        description: "queries that gave way to others"
                    }
                },
                required: [
                    "queries",
                    "tracked_queries",
                    "dropped_queries"
                ]
            },
            QueryEntry: {
                type: "object",
                properties: {
                    query: {
                        type: "string"
                    },
                    collection: {
                        type: "string"
                    },
                    count: {
                        type: "integer",
                        minimum: 0
                    },
                    zero_result_count: {
                        type: "integer",
                        minimum: 0
                    },
                    last_result_count: {
                        type: "integer",
                        minimum: 0
                    },
                    avg_latency_ms: {
                        type: "number"
                    },
                    last_seen: {
                        type: "integer",
                        minimum: 0,
                        description: "Unix time in milliseconds"
                    }
                },
                required: [
                    "query",
                    "collection",
                    "count",
                    "zero_result_count",
                    "last_result_count",
                    "avg_latency_ms",
                    "last_seen"
                ],
                description: "Its figures cover the searches since the query was last taken up."
            },
            Latency: {
                type: "object",
                properties: {
                    count: {
                        type: "integer",
                        minimum: 0
                    },
                    mean_ms: {
                        type: "number"
                    },
                    p50_ms: {
                        type: "number"
                    },
                    p95_ms: {
                        type: "number"
                    },
                    p99_ms: {
                        type: "number"
                    },
                    max_ms: {
                        type: "number"
                    },
                    total_searches: {
                        type: "integer",
                        minimum: 0
                    },
                    uptime_seconds: {
                        type: "integer",
                        minimum: 0
                    },
                    queries_per_second: {
                        type: "number"
                    }
                },
                required: [
                    "count",
                    "mean_ms",
                    "p50_ms",
                    "p95_ms",
                    "p99_ms",
                    "max_ms",
                    "total_searches",
                    "uptime_seconds",
                    "queries_per_second"
                ],
                description: "How long the searches since the start took."
            },
            Health: {
                type: "object",
                properties: {
                    ok: {
                        type: "boolean"
                    },
                    version: {
                        type: "string"
                    },
                    uptime_seconds: {
                        type: "integer",
                        minimum: 0
                    },
                    num_collections: {
                        type: "integer",
                        minimum: 0
                    }
                },
                required: [
                    "ok",
                    "version",
                    "uptime_seconds",
                    "num_collections"
                ]
            },
            Index: {
                type: "object",
                properties: {
                    name: {
                        type: "string"
                    },
                    version: {
                        type: "string"
                    },
                    docs: {
                        type: "string",
                        description: "path of the description for people"
                    },
                    openapi: {
                        type: "string",
                        description: "path of the description for programs"
                    }
                },
                required: [
                    "name",
                    "version",
                    "docs",
                    "openapi"
                ],
                description: "What the server is, and where it is described."
            },
            Ready: {
                type: "object",
                properties: {
                    ready: {
                        type: "boolean"
                    },
                    cluster: {
                        $ref: "#/components/schemas/ClusterStatus",
                        description: "of a node of a cluster"
                    }
                },
                required: [
                    "ready"
                ]
            },
            ClusterStatus: {
                type: "object",
                properties: {
                    phase: {
                        oneOf: [
                            {
                                "const": "connecting"
                            },
                            {
                                "const": "opening"
                            },
                            {
                                "const": "behind"
                            },
                            {
                                "const": "joining"
                            },
                            {
                                "const": "ready"
                            },
                            {
                                "const": "left"
                            }
                        ],
                        description: "connecting, opening, behind: it takes in what it lacks; joining; ready; left"
                    },
                    connected: {
                        type: "boolean",
                        description: "whether a NATS server is connected"
                    },
                    server: {
                        oneOf: [
                            {
                                type: "null"
                            },
                            {
                                type: "string"
                            }
                        ],
                        description: "address of that server"
                    },
                    node: {
                        type: "string",
                        description: "name of the node"
                    },
                    applied: {
                        $ref: "#/components/schemas/Count",
                        description: "the last place of the log that it has applied"
                    },
                    lag: {
                        $ref: "#/components/schemas/Count",
                        description: "messages known to be in the log and not applied"
                    },
                    released: {
                        $ref: "#/components/schemas/Count",
                        description: "up to where writes are acknowledged, or may be"
                    },
                    lease_ms: {
                        type: "number",
                        description: "how long its lease is valid without being renewed"
                    },
                    evictions: {
                        $ref: "#/components/schemas/Count",
                        description: "leases of others that it has ended, since its start"
                    },
                    losses: {
                        $ref: "#/components/schemas/Count",
                        description: "leases that it has lost, since its start"
                    },
                    stream: {
                        oneOf: [
                            {
                                type: "null"
                            },
                            {
                                $ref: "#/components/schemas/ClusterStream"
                            }
                        ],
                        description: "of the log; null: not known"
                    },
                    snapshot: {
                        oneOf: [
                            {
                                type: "null"
                            },
                            {
                                $ref: "#/components/schemas/ClusterSnapshot"
                            }
                        ],
                        description: "the newest in the store; null: there is none, or it is not known"
                    },
                    nodes: {
                        type: "array",
                        items: {
                            $ref: "#/components/schemas/ClusterNodeStatus"
                        },
                        description: "as far as this node knows"
                    }
                },
                required: [
                    "phase",
                    "connected",
                    "server",
                    "node",
                    "applied",
                    "lag",
                    "released",
                    "lease_ms",
                    "evictions",
                    "losses",
                    "stream",
                    "snapshot",
                    "nodes"
                ]
            },
            Count: {
                type: "integer",
                minimum: 0
            },
            ClusterStream: {
                type: "object",
                properties: {
                    first: {
                        $ref: "#/components/schemas/Count"
                    },
                    last: {
                        $ref: "#/components/schemas/Count"
                    },
                    bytes: {
                        $ref: "#/components/schemas/Count"
                    }
                },
                required: [
                    "first",
                    "last",
                    "bytes"
                ]
            },
            ClusterSnapshot: {
                type: "object",
                properties: {
                    sequence: {
                        $ref: "#/components/schemas/Count",
                        description: "the last place of the log that it contains"
                    }
                },
                required: [
                    "sequence"
                ]
            },
            ClusterNodeStatus: {
                type: "object",
                properties: {
                    node: {
                        type: "string"
                    },
                    state: {
                        oneOf: [
                            {
                                "const": "left"
                            },
                            {
                                "const": "held"
                            },
                            {
                                "const": "evicted"
                            },
                            {
                                "const": "unknown"
                            }
                        ],
                        description: "of its lease: held, left: given back, evicted: ended by another, unknown: not heard of for as long as it lasts"
                    },
                    applied: {
                        $ref: "#/components/schemas/Count"
                    },
                    short_of_memory: {
                        type: "boolean",
                        description: "whether it has too little memory for writes"
                    },
                    url: {
                        oneOf: [
                            {
                                type: "null"
                            },
                            {
                                type: "string"
                            }
                        ],
                        description: "where clients reach it; null: it does not say"
                    },
                    version: {
                        type: "string"
                    },
                    silent_ms: {
                        type: "number",
                        description: "since its lease was heard of, or read after the start of the node that tells this"
                    }
                },
                required: [
                    "node",
                    "state",
                    "applied",
                    "short_of_memory",
                    "url",
                    "version",
                    "silent_ms"
                ]
            },
            Snapshot: {
                type: "object",
                properties: {
                    snapshot: {
                        type: "integer",
                        minimum: 0,
                        description: "number of the snapshot"
                    },
                    sequence: {
                        type: "integer",
                        minimum: 0,
                        description: "last record of the log that it contains"
                    },
                    collections: {
                        type: "integer",
                        minimum: 0
                    },
                    segments: {
                        type: "integer",
                        minimum: 0
                    },
                    files_written: {
                        type: "integer",
                        minimum: 0,
                        description: "files that had to be written, manifest included"
                    },
                    bytes_written: {
                        type: "integer",
                        minimum: 0
                    },
                    took_ms: {
                        type: "number"
                    }
                },
                required: [
                    "snapshot",
                    "sequence",
                    "collections",
                    "segments",
                    "files_written",
                    "bytes_written",
                    "took_ms"
                ]
            },
            NotReady: {
                type: "object",
                properties: {
                    error: {
                        $ref: "#/components/schemas/ErrorDetail"
                    },
                    cluster: {
                        $ref: "#/components/schemas/ClusterStatus",
                        description: "of a node of a cluster"
                    },
                    progress: {
                        $ref: "#/components/schemas/Progress",
                        description: "while recovering, once it is known"
                    }
                },
                required: [
                    "error"
                ]
            },
            Progress: {
                type: "object",
                properties: {
                    phase: {
                        oneOf: [
                            {
                                "const": "segments"
                            },
                            {
                                "const": "log"
                            }
                        ]
                    },
                    done_bytes: {
                        type: "integer",
                        minimum: 0
                    },
                    total_bytes: {
                        type: "integer",
                        minimum: 0
                    }
                },
                required: [
                    "phase",
                    "done_bytes",
                    "total_bytes"
                ],
                description: "How far recovery is: bytes of segment files opened, then bytes of log replayed."
            }
        }
    },
    schemas: [
        {
            $ref: "#/components/schemas/CollectionSchema"
        },
        {
            $ref: "#/components/schemas/CollectionView"
        },
        {
            $ref: "#/components/schemas/SchemaChange"
        },
        {
            $ref: "#/components/schemas/SchemaChangeCheck"
        },
        {
            $ref: "#/components/schemas/AliasBody"
        },
        {
            $ref: "#/components/schemas/AliasView"
        },
        {
            $ref: "#/components/schemas/Document"
        },
        {
            $ref: "#/components/schemas/ShownDocument"
        },
        {
            $ref: "#/components/schemas/BatchReport"
        },
        {
            $ref: "#/components/schemas/DeletedDocuments"
        },
        {
            $ref: "#/components/schemas/SynonymBody"
        },
        {
            $ref: "#/components/schemas/SynonymView"
        },
        {
            $ref: "#/components/schemas/StopWordsBody"
        },
        {
            $ref: "#/components/schemas/StopWordsView"
        },
        {
            $ref: "#/components/schemas/SearchBody"
        },
        {
            $ref: "#/components/schemas/MultiSearchBody"
        },
        {
            $ref: "#/components/schemas/MultiSearchResponse"
        },
        {
            $ref: "#/components/schemas/SearchResponse"
        },
        {
            $ref: "#/components/schemas/SuggestResponse"
        },
        {
            $ref: "#/components/schemas/QueryList"
        },
        {
            $ref: "#/components/schemas/Latency"
        },
        {
            $ref: "#/components/schemas/Health"
        },
        {
            $ref: "#/components/schemas/Index"
        },
        {
            $ref: "#/components/schemas/Ready"
        },
        {
            $ref: "#/components/schemas/Snapshot"
        },
        {
            $ref: "#/components/schemas/ErrorBody"
        },
        {
            $ref: "#/components/schemas/NotReady"
        }
    ]
} as import("typia").IJsonSchemaCollection<"3.1">;
export const parameterSchemas = {
    version: "3.1",
    components: {
        schemas: {
            CommonParameters: {
                type: "object",
                properties: {
                    strict: {
                        type: "boolean",
                        description: "refuses parameters that are not known, which else are ignored and named in the header `warning`. Default: false."
                    }
                },
                required: [],
                description: "Every endpoint has it."
            },
            SearchParameters: {
                type: "object",
                properties: {
                    q: {
                        type: "string",
                        description: "the search query; empty or * matches every document"
                    },
                    query_by: {
                        type: "string",
                        description: "comma-separated text fields (default: all)"
                    },
                    filter: {
                        type: "string",
                        description: "filter expression, e.g. `price:<5000 && brand:=Acme`"
                    },
                    sort: {
                        type: "string",
                        description: "e.g. `price:asc,_text_match:desc` (default: relevance)"
                    },
                    facet: {
                        type: "string",
                        description: "comma-separated facet fields"
                    },
                    facet_limit: {
                        type: "integer",
                        maximum: 1000,
                        minimum: 0,
                        description: "values shown of each facet field. Default: 100."
                    },
                    facet_sort: {
                        oneOf: [
                            {
                                "const": "count"
                            },
                            {
                                "const": "value"
                            }
                        ],
                        description: "which of them come first: the most frequent, or by value. Default: \"count\"."
                    },
                    facet_stats: {
                        type: "boolean",
                        description: "tells the least, largest, sum and average of numeric facet fields. Default: false."
                    },
                    facet_query: {
                        type: "string",
                        description: "`field:text`: of this facet field only values that begin with the text, e.g. `brand:lo`"
                    },
                    distinct: {
                        type: "string",
                        description: "a facet or sortable field: one hit, the best, for each of its values"
                    },
                    limit: {
                        type: "integer",
                        maximum: 250,
                        minimum: 0,
                        description: "results on this page. Default: 10."
                    },
                    offset: {
                        type: "integer",
                        maximum: 10000,
                        minimum: 0,
                        description: "results to skip; limit and offset together are at most its maximum. Default: 0."
                    },
                    prefix: {
                        type: "boolean",
                        description: "the last token also matches what it begins. Default: true."
                    },
                    typo_tolerance: {
                        type: "boolean",
                        description: "overrides the setting of the collection"
                    },
                    match_mode: {
                        oneOf: [
                            {
                                "const": "all"
                            },
                            {
                                "const": "any"
                            }
                        ],
                        description: "must all tokens match, or any. Default: \"all\"."
                    },
                    typo_threshold: {
                        type: "integer",
                        maximum: 10000,
                        minimum: 0,
                        description: "with fewer matches than this, known words are corrected, split and joined too; 0: never. Default: 10."
                    },
                    ranking: {
                        oneOf: [
                            {
                                "const": "best"
                            },
                            {
                                "const": "bm25"
                            }
                        ],
                        description: "bonuses for nearness and exactness, or BM25 alone (default: the collection's)"
                    },
                    highlight: {
                        type: "string",
                        description: "comma-separated text fields of which each hit shows a snippet with its matches marked"
                    },
                    highlight_open: {
                        type: "string",
                        description: "stands before a match, at most 256 bytes. Default: \"<mark>\"."
                    },
                    highlight_close: {
                        type: "string",
                        description: "stands after a match, at most 256 bytes. Default: \"</mark>\"."
                    },
                    snippet_tokens: {
                        type: "integer",
                        maximum: 200,
                        minimum: 0,
                        description: "words of a snippet; 0: the whole value. Default: 30."
                    },
                    explain: {
                        type: "boolean",
                        description: "tells what each hit's score is made of. Default: false."
                    },
                    explain_id: {
                        type: "string",
                        description: "the id of a document: tells at which rank it is, or why it is no hit"
                    },
                    include_fields: {
                        type: "string",
                        description: "comma-separated top-level fields that the document of a hit shows (default: all)"
                    },
                    exclude_fields: {
                        type: "string",
                        description: "comma-separated top-level fields that it does not show"
                    }
                },
                required: []
            },
            ExportParameters: {
                type: "object",
                properties: {
                    filter: {
                        type: "string",
                        description: "filter expression, e.g. `price:<5000 && brand:=Acme` (default: all documents)"
                    },
                    include_fields: {
                        type: "string",
                        description: "comma-separated top-level fields that are shown (default: all)"
                    },
                    exclude_fields: {
                        type: "string",
                        description: "comma-separated top-level fields that are not shown"
                    }
                },
                required: []
            },
            FetchParameters: {
                type: "object",
                properties: {
                    include_fields: {
                        type: "string",
                        description: "comma-separated top-level fields that are shown (default: all)"
                    },
                    exclude_fields: {
                        type: "string",
                        description: "comma-separated top-level fields that are not shown"
                    }
                },
                required: []
            },
            SuggestParameters: {
                type: "object",
                properties: {
                    q: {
                        type: "string",
                        description: "partial query; its last token is completed"
                    },
                    query_by: {
                        type: "string",
                        description: "comma-separated text fields (default: all)"
                    },
                    limit: {
                        type: "integer",
                        minimum: 1,
                        maximum: 50,
                        description: "most suggestions. Default: 5."
                    },
                    typo_tolerance: {
                        type: "boolean",
                        description: "overrides the setting of the collection"
                    }
                },
                required: []
            },
            AnalyticsParameters: {
                type: "object",
                properties: {
                    collection: {
                        type: "string",
                        description: "only this collection (default: all)"
                    },
                    limit: {
                        type: "integer",
                        minimum: 0,
                        description: "most queries; cut to 1 to 500. Default: 20."
                    }
                },
                required: []
            },
            ChangeParameters: {
                type: "object",
                properties: {
                    dry_run: {
                        type: "boolean",
                        description: "only counts the documents that would not fit. Default: false."
                    }
                },
                required: []
            },
            DropParameters: {
                type: "object",
                properties: {
                    force: {
                        type: "boolean",
                        description: "deletes the aliases of the collection too, which else refuse it. Default: false."
                    }
                },
                required: []
            },
            IndexParameters: {
                type: "object",
                properties: {
                    action: {
                        oneOf: [
                            {
                                "const": "upsert"
                            },
                            {
                                "const": "create"
                            },
                            {
                                "const": "update"
                            }
                        ],
                        description: "takes all documents; those alone whose ids are new; or those alone whose ids are there. Default: \"upsert\"."
                    }
                },
                required: []
            },
            DeleteParameters: {
                type: "object",
                properties: {
                    filter: {
                        type: "string",
                        description: "what is deleted; needed"
                    }
                },
                required: []
            }
        }
    },
    schemas: [
        {
            $ref: "#/components/schemas/CommonParameters"
        },
        {
            $ref: "#/components/schemas/SearchParameters"
        },
        {
            $ref: "#/components/schemas/ExportParameters"
        },
        {
            $ref: "#/components/schemas/FetchParameters"
        },
        {
            $ref: "#/components/schemas/SuggestParameters"
        },
        {
            $ref: "#/components/schemas/AnalyticsParameters"
        },
        {
            $ref: "#/components/schemas/ChangeParameters"
        },
        {
            $ref: "#/components/schemas/DropParameters"
        },
        {
            $ref: "#/components/schemas/IndexParameters"
        },
        {
            $ref: "#/components/schemas/DeleteParameters"
        }
    ]
} as import("typia").IJsonSchemaCollection<"3.1">;
