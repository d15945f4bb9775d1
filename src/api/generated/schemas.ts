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
                    created_at: {
                        description: "ignored, so that a collection can be posted back as it was shown"
                    },
                    num_documents: {
                        description: "ignored"
                    },
                    num_segments: {
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
            SearchResponse: {
                type: "object",
                properties: {
                    found: {
                        type: "integer",
                        minimum: 0,
                        description: "all matching documents"
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
                        $ref: "#/components/schemas/Document"
                    },
                    text_match: {
                        type: "number",
                        description: "BM25 score"
                    }
                },
                required: [
                    "document",
                    "text_match"
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
                    }
                },
                required: [
                    "ready"
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
            NotReady: {
                type: "object",
                properties: {
                    error: {
                        $ref: "#/components/schemas/ErrorDetail"
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
            $ref: "#/components/schemas/Document"
        },
        {
            $ref: "#/components/schemas/BatchReport"
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
                        description: "stands before a match. Default: \"<mark>\"."
                    },
                    highlight_close: {
                        type: "string",
                        description: "stands after a match. Default: \"</mark>\"."
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
            }
        }
    },
    schemas: [
        {
            $ref: "#/components/schemas/SearchParameters"
        },
        {
            $ref: "#/components/schemas/SuggestParameters"
        },
        {
            $ref: "#/components/schemas/AnalyticsParameters"
        }
    ]
} as import("typia").IJsonSchemaCollection<"3.1">;
