/**
 * Generated from ../templates by `npm run build:validators`. Never edited by hand: change the types and run that again.
 */
import * as __typia_transform__validateReport from "typia/lib/internal/_validateReport";
import * as __typia_transform__createStandardSchema from "typia/lib/internal/_createStandardSchema";
import * as __typia_transform__accessExpressionAsString from "typia/lib/internal/_accessExpressionAsString";
import type { CollectionSchema, SchemaChange } from "../types/collections.js";
import type { SearchBounds, SuggestBounds } from "../types/parameters.js";
import type { StopWordsBody, SynonymBody } from "../types/text-rules.js";
export const validateSearchBounds = (() => { const _io0 = (input: any): boolean => "number" === typeof input.facet_limit && input.facet_limit <= 1000 && ("count" === input.facet_sort || "value" === input.facet_sort) && ("number" === typeof input.limit && input.limit <= 250) && ("number" === typeof input.offset && input.offset <= 10000) && ("all" === input.match_mode || "any" === input.match_mode) && ("number" === typeof input.typo_threshold && input.typo_threshold <= 10000) && ("number" === typeof input.snippet_tokens && input.snippet_tokens <= 200) && (undefined === input.ranking || "best" === input.ranking || "bm25" === input.ranking); const _vo0 = (input: any, _path: string, _exceptionable: boolean = true): boolean => ["number" === typeof input.facet_limit && (input.facet_limit <= 1000 || _report(_exceptionable, {
        path: _path + ".facet_limit",
        expected: "number & Maximum<1000>",
        value: input.facet_limit
    })) || _report(_exceptionable, {
        path: _path + ".facet_limit",
        expected: "(number & Maximum<1000> & JsonSchemaPlugin<__type>)",
        value: input.facet_limit
    }), "count" === input.facet_sort || "value" === input.facet_sort || _report(_exceptionable, {
        path: _path + ".facet_sort",
        expected: "(\"count\" | \"value\")",
        value: input.facet_sort
    }), "number" === typeof input.limit && (input.limit <= 250 || _report(_exceptionable, {
        path: _path + ".limit",
        expected: "number & Maximum<250>",
        value: input.limit
    })) || _report(_exceptionable, {
        path: _path + ".limit",
        expected: "(number & Maximum<250> & JsonSchemaPlugin<__type>)",
        value: input.limit
    }), "number" === typeof input.offset && (input.offset <= 10000 || _report(_exceptionable, {
        path: _path + ".offset",
        expected: "number & Maximum<10000>",
        value: input.offset
    })) || _report(_exceptionable, {
        path: _path + ".offset",
        expected: "(number & Maximum<10000> & JsonSchemaPlugin<__type>)",
        value: input.offset
    }), "all" === input.match_mode || "any" === input.match_mode || _report(_exceptionable, {
        path: _path + ".match_mode",
        expected: "(\"all\" | \"any\")",
        value: input.match_mode
    }), "number" === typeof input.typo_threshold && (input.typo_threshold <= 10000 || _report(_exceptionable, {
        path: _path + ".typo_threshold",
        expected: "number & Maximum<10000>",
        value: input.typo_threshold
    })) || _report(_exceptionable, {
        path: _path + ".typo_threshold",
        expected: "(number & Maximum<10000> & JsonSchemaPlugin<__type>)",
        value: input.typo_threshold
    }), "number" === typeof input.snippet_tokens && (input.snippet_tokens <= 200 || _report(_exceptionable, {
        path: _path + ".snippet_tokens",
        expected: "number & Maximum<200>",
        value: input.snippet_tokens
    })) || _report(_exceptionable, {
        path: _path + ".snippet_tokens",
        expected: "(number & Maximum<200> & JsonSchemaPlugin<__type>)",
        value: input.snippet_tokens
    }), undefined === input.ranking || "best" === input.ranking || "bm25" === input.ranking || _report(_exceptionable, {
        path: _path + ".ranking",
        expected: "(\"best\" | \"bm25\" | undefined)",
        value: input.ranking
    })].every((flag: boolean) => flag); const __is = (input: any): input is SearchBounds => "object" === typeof input && null !== input && _io0(input); let errors: any; let _report: any; return __typia_transform__createStandardSchema._createStandardSchema((input: any): import("typia").IValidation<SearchBounds> => {
    if (false === __is(input)) {
        errors = [];
        _report = (__typia_transform__validateReport._validateReport as any)(errors);
        ((input: any, _path: string, _exceptionable: boolean = true) => ("object" === typeof input && null !== input || _report(true, {
            path: _path + "",
            expected: "SearchBounds",
            value: input
        })) && _vo0(input, _path + "", true) || _report(true, {
            path: _path + "",
            expected: "SearchBounds",
            value: input
        }))(input, "$input", true);
        const success = 0 === errors.length;
        return success ? {
            success,
            data: input
        } : {
            success,
            errors,
            data: input
        } as any;
    }
    return {
        success: true,
        data: input
    } as any;
}); })();
export const validateSuggestBounds = (() => { const _io0 = (input: any): boolean => "number" === typeof input.limit && (1 <= input.limit && input.limit <= 50); const _vo0 = (input: any, _path: string, _exceptionable: boolean = true): boolean => ["number" === typeof input.limit && (1 <= input.limit || _report(_exceptionable, {
        path: _path + ".limit",
        expected: "number & Minimum<1>",
        value: input.limit
    })) && (input.limit <= 50 || _report(_exceptionable, {
        path: _path + ".limit",
        expected: "number & Maximum<50>",
        value: input.limit
    })) || _report(_exceptionable, {
        path: _path + ".limit",
        expected: "(number & Minimum<1> & Maximum<50> & JsonSchemaPlugin<__type>)",
        value: input.limit
    })].every((flag: boolean) => flag); const __is = (input: any): input is SuggestBounds => "object" === typeof input && null !== input && _io0(input); let errors: any; let _report: any; return __typia_transform__createStandardSchema._createStandardSchema((input: any): import("typia").IValidation<SuggestBounds> => {
    if (false === __is(input)) {
        errors = [];
        _report = (__typia_transform__validateReport._validateReport as any)(errors);
        ((input: any, _path: string, _exceptionable: boolean = true) => ("object" === typeof input && null !== input || _report(true, {
            path: _path + "",
            expected: "Required<Pick<SuggestParameters, \"limit\">>",
            value: input
        })) && _vo0(input, _path + "", true) || _report(true, {
            path: _path + "",
            expected: "Required<Pick<SuggestParameters, \"limit\">>",
            value: input
        }))(input, "$input", true);
        const success = 0 === errors.length;
        return success ? {
            success,
            data: input
        } : {
            success,
            errors,
            data: input
        } as any;
    }
    return {
        success: true,
        data: input
    } as any;
}); })();
export const validateCollectionSchema = (() => { const _iv2 = new Set(["arabic", "armenian", "basque", "catalan", "danish", "dutch", "english", "esperanto", "estonian", "finnish", "french", "german", "greek", "hungarian", "indonesian", "irish", "italian", "lithuanian", "norwegian", "portuguese", "romanian", "russian", "serbian", "spanish", "swedish", "turkish", "yiddish"]); const _vv4 = new Set(["arabic", "armenian", "basque", "catalan", "danish", "dutch", "english", "esperanto", "estonian", "finnish", "french", "german", "greek", "hungarian", "indonesian", "irish", "italian", "lithuanian", "norwegian", "portuguese", "romanian", "russian", "serbian", "spanish", "swedish", "turkish", "yiddish"]); const _io0 = (input: any, _exceptionable: boolean = true): boolean => "string" === typeof input.name && (Array.isArray(input.fields) && input.fields.every((elem: any, _index1: number) => "object" === typeof elem && null !== elem && _io1(elem, true && _exceptionable))) && (null === input.typo_tolerance || undefined === input.typo_tolerance || "object" === typeof input.typo_tolerance && null !== input.typo_tolerance && false === Array.isArray(input.typo_tolerance) && _io2(input.typo_tolerance, true && _exceptionable)) && (null === input.default_sorting_field || undefined === input.default_sorting_field || "string" === typeof input.default_sorting_field) && (null === input.ranking || undefined === input.ranking || "best" === input.ranking || "bm25" === input.ranking) && (null === input.near_ties || undefined === input.near_ties || "boolean" === typeof input.near_ties) && (null === input.compress_documents || undefined === input.compress_documents || "boolean" === typeof input.compress_documents) && true && true && true && true && (2 === Object.keys(input).length || Object.keys(input).every((key: any) => {
    if (["name", "fields", "typo_tolerance", "default_sorting_field", "ranking", "near_ties", "compress_documents", "created_at", "num_documents", "num_segments", "change"].some((prop: any) => key === prop))
        return true;
    const value = input[key];
    if (undefined === value)
        return true;
    return false;
})); const _io1 = (input: any, _exceptionable: boolean = true): boolean => "string" === typeof input.name && ("text" === input.type || "keyword" === input.type || "int" === input.type || "float" === input.type || "bool" === input.type || "date" === input.type) && (null === input.facet || undefined === input.facet || "boolean" === typeof input.facet) && (null === input.filter || undefined === input.filter || "boolean" === typeof input.filter) && (null === input.sort || undefined === input.sort || "boolean" === typeof input.sort) && (null === input.index || undefined === input.index || "boolean" === typeof input.index) && (null === input.optional || undefined === input.optional || "boolean" === typeof input.optional) && (null === input.boost || undefined === input.boost || "number" === typeof input.boost) && (null === input.stem || undefined === input.stem || true === _iv2.has(input.stem)) && (2 === Object.keys(input).length || Object.keys(input).every((key: any) => {
    if (["name", "type", "facet", "filter", "sort", "index", "optional", "boost", "stem"].some((prop: any) => key === prop))
        return true;
    const value = input[key];
    if (undefined === value)
        return true;
    return false;
})); const _io2 = (input: any, _exceptionable: boolean = true): boolean => (null === input.enabled || undefined === input.enabled || "boolean" === typeof input.enabled) && (null === input.one_typo_min_len || undefined === input.one_typo_min_len || "number" === typeof input.one_typo_min_len) && (null === input.two_typo_min_len || undefined === input.two_typo_min_len || "number" === typeof input.two_typo_min_len) && (null === input.max_typos || undefined === input.max_typos || "number" === typeof input.max_typos) && (0 === Object.keys(input).length || Object.keys(input).every((key: any) => {
    if (["enabled", "one_typo_min_len", "two_typo_min_len", "max_typos"].some((prop: any) => key === prop))
        return true;
    const value = input[key];
    if (undefined === value)
        return true;
    return false;
})); const _vo0 = (input: any, _path: string, _exceptionable: boolean = true): boolean => ["string" === typeof input.name || _report(_exceptionable, {
        path: _path + ".name",
        expected: "(string & JsonSchemaPlugin<__type>)",
        value: input.name
    }), (Array.isArray(input.fields) || _report(_exceptionable, {
        path: _path + ".fields",
        expected: "(ReadonlyArray<Field> & JsonSchemaPlugin<__type>)",
        value: input.fields
    })) && input.fields.map((elem: any, _index3: number) => ("object" === typeof elem && null !== elem || _report(_exceptionable, {
        path: _path + ".fields[" + _index3 + "]",
        expected: "Field",
        value: elem
    })) && _vo1(elem, _path + ".fields[" + _index3 + "]", true && _exceptionable) || _report(_exceptionable, {
        path: _path + ".fields[" + _index3 + "]",
        expected: "Field",
        value: elem
    })).every((flag: boolean) => flag) || _report(_exceptionable, {
        path: _path + ".fields",
        expected: "(ReadonlyArray<Field> & JsonSchemaPlugin<__type>)",
        value: input.fields
    }), null === input.typo_tolerance || undefined === input.typo_tolerance || ("object" === typeof input.typo_tolerance && null !== input.typo_tolerance && false === Array.isArray(input.typo_tolerance) || _report(_exceptionable, {
        path: _path + ".typo_tolerance",
        expected: "(TypoTolerance | null | undefined)",
        value: input.typo_tolerance
    })) && _vo2(input.typo_tolerance, _path + ".typo_tolerance", true && _exceptionable) || _report(_exceptionable, {
        path: _path + ".typo_tolerance",
        expected: "(TypoTolerance | null | undefined)",
        value: input.typo_tolerance
    }), null === input.default_sorting_field || undefined === input.default_sorting_field || "string" === typeof input.default_sorting_field || _report(_exceptionable, {
        path: _path + ".default_sorting_field",
        expected: "(null | string | undefined)",
        value: input.default_sorting_field
    }), null === input.ranking || undefined === input.ranking || "best" === input.ranking || "bm25" === input.ranking || _report(_exceptionable, {
        path: _path + ".ranking",
        expected: "(\"best\" | \"bm25\" | null | undefined)",
        value: input.ranking
    }), null === input.near_ties || undefined === input.near_ties || "boolean" === typeof input.near_ties || _report(_exceptionable, {
        path: _path + ".near_ties",
        expected: "(boolean | null | undefined)",
        value: input.near_ties
    }), null === input.compress_documents || undefined === input.compress_documents || "boolean" === typeof input.compress_documents || _report(_exceptionable, {
        path: _path + ".compress_documents",
        expected: "(boolean | null | undefined)",
        value: input.compress_documents
    }), true, true, true, true, 2 === Object.keys(input).length || (false === _exceptionable || Object.keys(input).map((key: any) => {
        if (["name", "fields", "typo_tolerance", "default_sorting_field", "ranking", "near_ties", "compress_documents", "created_at", "num_documents", "num_segments", "change"].some((prop: any) => key === prop))
            return true;
        const value = input[key];
        if (undefined === value)
            return true;
        return _report(_exceptionable, {
            path: _path + __typia_transform__accessExpressionAsString._accessExpressionAsString(key),
            expected: "undefined",
            value: value,
            description: [
                `The property \`${key}\` is not defined in the object type.`,
                "",
                "Please remove the property next time."
            ].join("\n")
        });
    }).every((flag: boolean) => flag))].every((flag: boolean) => flag); const _vo1 = (input: any, _path: string, _exceptionable: boolean = true): boolean => ["string" === typeof input.name || _report(_exceptionable, {
        path: _path + ".name",
        expected: "(string & JsonSchemaPlugin<__type>)",
        value: input.name
    }), "text" === input.type || "keyword" === input.type || "int" === input.type || "float" === input.type || "bool" === input.type || "date" === input.type || _report(_exceptionable, {
        path: _path + ".type",
        expected: "(\"bool\" | \"date\" | \"float\" | \"int\" | \"keyword\" | \"text\")",
        value: input.type
    }), null === input.facet || undefined === input.facet || "boolean" === typeof input.facet || _report(_exceptionable, {
        path: _path + ".facet",
        expected: "(boolean | null | undefined)",
        value: input.facet
    }), null === input.filter || undefined === input.filter || "boolean" === typeof input.filter || _report(_exceptionable, {
        path: _path + ".filter",
        expected: "(boolean | null | undefined)",
        value: input.filter
    }), null === input.sort || undefined === input.sort || "boolean" === typeof input.sort || _report(_exceptionable, {
        path: _path + ".sort",
        expected: "(boolean | null | undefined)",
        value: input.sort
    }), null === input.index || undefined === input.index || "boolean" === typeof input.index || _report(_exceptionable, {
        path: _path + ".index",
        expected: "(boolean | null | undefined)",
        value: input.index
    }), null === input.optional || undefined === input.optional || "boolean" === typeof input.optional || _report(_exceptionable, {
        path: _path + ".optional",
        expected: "(boolean | null | undefined)",
        value: input.optional
    }), null === input.boost || undefined === input.boost || "number" === typeof input.boost || _report(_exceptionable, {
        path: _path + ".boost",
        expected: "((number & JsonSchemaPlugin<__type>) | null | undefined)",
        value: input.boost
    }), null === input.stem || undefined === input.stem || true === _vv4.has(input.stem) || _report(_exceptionable, {
        path: _path + ".stem",
        expected: "(\"arabic\" | \"armenian\" | \"basque\" | \"catalan\" | \"danish\" | \"dutch\" | \"english\" | \"esperanto\" | \"estonian\" | \"finnish\" | \"french\" | \"german\" | \"greek\" | \"hungarian\" | \"indonesian\" | \"irish\" | \"italian\" | \"lithuanian\" | \"norwegian\" | \"portuguese\" | \"romanian\" | \"russian\" | \"serbian\" | \"spanish\" | \"swedish\" | \"turkish\" | \"yiddish\" | null | undefined)",
        value: input.stem
    }), 2 === Object.keys(input).length || (false === _exceptionable || Object.keys(input).map((key: any) => {
        if (["name", "type", "facet", "filter", "sort", "index", "optional", "boost", "stem"].some((prop: any) => key === prop))
            return true;
        const value = input[key];
        if (undefined === value)
            return true;
        return _report(_exceptionable, {
            path: _path + __typia_transform__accessExpressionAsString._accessExpressionAsString(key),
            expected: "undefined",
            value: value,
            description: [
                `The property \`${key}\` is not defined in the object type.`,
                "",
                "Please remove the property next time."
            ].join("\n")
        });
    }).every((flag: boolean) => flag))].every((flag: boolean) => flag); const _vo2 = (input: any, _path: string, _exceptionable: boolean = true): boolean => [null === input.enabled || undefined === input.enabled || "boolean" === typeof input.enabled || _report(_exceptionable, {
        path: _path + ".enabled",
        expected: "(boolean | null | undefined)",
        value: input.enabled
    }), null === input.one_typo_min_len || undefined === input.one_typo_min_len || "number" === typeof input.one_typo_min_len || _report(_exceptionable, {
        path: _path + ".one_typo_min_len",
        expected: "((number & JsonSchemaPlugin<__type>) | null | undefined)",
        value: input.one_typo_min_len
    }), null === input.two_typo_min_len || undefined === input.two_typo_min_len || "number" === typeof input.two_typo_min_len || _report(_exceptionable, {
        path: _path + ".two_typo_min_len",
        expected: "((number & JsonSchemaPlugin<__type>) | null | undefined)",
        value: input.two_typo_min_len
    }), null === input.max_typos || undefined === input.max_typos || "number" === typeof input.max_typos || _report(_exceptionable, {
        path: _path + ".max_typos",
        expected: "((number & JsonSchemaPlugin<__type>) | null | undefined)",
        value: input.max_typos
    }), 0 === Object.keys(input).length || (false === _exceptionable || Object.keys(input).map((key: any) => {
        if (["enabled", "one_typo_min_len", "two_typo_min_len", "max_typos"].some((prop: any) => key === prop))
            return true;
        const value = input[key];
        if (undefined === value)
            return true;
        return _report(_exceptionable, {
            path: _path + __typia_transform__accessExpressionAsString._accessExpressionAsString(key),
            expected: "undefined",
            value: value,
            description: [
                `The property \`${key}\` is not defined in the object type.`,
                "",
                "Please remove the property next time."
            ].join("\n")
        });
    }).every((flag: boolean) => flag))].every((flag: boolean) => flag); const __is = (input: any, _exceptionable: boolean = true): input is CollectionSchema => "object" === typeof input && null !== input && _io0(input, true); let errors: any; let _report: any; return __typia_transform__createStandardSchema._createStandardSchema((input: any): import("typia").IValidation<CollectionSchema> => {
    if (false === __is(input)) {
        errors = [];
        _report = (__typia_transform__validateReport._validateReport as any)(errors);
        ((input: any, _path: string, _exceptionable: boolean = true) => ("object" === typeof input && null !== input || _report(true, {
            path: _path + "",
            expected: "CollectionSchema",
            value: input
        })) && _vo0(input, _path + "", true) || _report(true, {
            path: _path + "",
            expected: "CollectionSchema",
            value: input
        }))(input, "$input", true);
        const success = 0 === errors.length;
        return success ? {
            success,
            data: input
        } : {
            success,
            errors,
            data: input
        } as any;
    }
    return {
        success: true,
        data: input
    } as any;
}); })();
export const validateSchemaChange = (() => { const _iv2 = new Set(["arabic", "armenian", "basque", "catalan", "danish", "dutch", "english", "esperanto", "estonian", "finnish", "french", "german", "greek", "hungarian", "indonesian", "irish", "italian", "lithuanian", "norwegian", "portuguese", "romanian", "russian", "serbian", "spanish", "swedish", "turkish", "yiddish"]); const _vv4 = new Set(["arabic", "armenian", "basque", "catalan", "danish", "dutch", "english", "esperanto", "estonian", "finnish", "french", "german", "greek", "hungarian", "indonesian", "irish", "italian", "lithuanian", "norwegian", "portuguese", "romanian", "russian", "serbian", "spanish", "swedish", "turkish", "yiddish"]); const _io0 = (input: any, _exceptionable: boolean = true): boolean => (null === input.fields || undefined === input.fields || Array.isArray(input.fields) && input.fields.every((elem: any, _index1: number) => "object" === typeof elem && null !== elem && _io1(elem, true && _exceptionable))) && (null === input.typo_tolerance || undefined === input.typo_tolerance || "object" === typeof input.typo_tolerance && null !== input.typo_tolerance && false === Array.isArray(input.typo_tolerance) && _io2(input.typo_tolerance, true && _exceptionable)) && (null === input.ranking || undefined === input.ranking || "best" === input.ranking || "bm25" === input.ranking) && (null === input.default_sorting_field || undefined === input.default_sorting_field || "string" === typeof input.default_sorting_field) && (null === input.near_ties || undefined === input.near_ties || "boolean" === typeof input.near_ties) && (null === input.compress_documents || undefined === input.compress_documents || "boolean" === typeof input.compress_documents) && (0 === Object.keys(input).length || Object.keys(input).every((key: any) => {
    if (["fields", "typo_tolerance", "ranking", "default_sorting_field", "near_ties", "compress_documents"].some((prop: any) => key === prop))
        return true;
    const value = input[key];
    if (undefined === value)
        return true;
    return false;
})); const _io1 = (input: any, _exceptionable: boolean = true): boolean => (undefined === input.type || "text" === input.type || "keyword" === input.type || "int" === input.type || "float" === input.type || "bool" === input.type || "date" === input.type) && (null === input.drop || undefined === input.drop || "boolean" === typeof input.drop) && (null === input.filter || undefined === input.filter || "boolean" === typeof input.filter) && (null === input.sort || undefined === input.sort || "boolean" === typeof input.sort) && (null === input.facet || undefined === input.facet || "boolean" === typeof input.facet) && "string" === typeof input.name && (null === input.index || undefined === input.index || "boolean" === typeof input.index) && (null === input.optional || undefined === input.optional || "boolean" === typeof input.optional) && (null === input.boost || undefined === input.boost || "number" === typeof input.boost) && (null === input.stem || undefined === input.stem || true === _iv2.has(input.stem)) && (1 === Object.keys(input).length || Object.keys(input).every((key: any) => {
    if (["type", "drop", "filter", "sort", "facet", "name", "index", "optional", "boost", "stem"].some((prop: any) => key === prop))
        return true;
    const value = input[key];
    if (undefined === value)
        return true;
    return false;
})); const _io2 = (input: any, _exceptionable: boolean = true): boolean => (null === input.enabled || undefined === input.enabled || "boolean" === typeof input.enabled) && (null === input.one_typo_min_len || undefined === input.one_typo_min_len || "number" === typeof input.one_typo_min_len) && (null === input.two_typo_min_len || undefined === input.two_typo_min_len || "number" === typeof input.two_typo_min_len) && (null === input.max_typos || undefined === input.max_typos || "number" === typeof input.max_typos) && (0 === Object.keys(input).length || Object.keys(input).every((key: any) => {
    if (["enabled", "one_typo_min_len", "two_typo_min_len", "max_typos"].some((prop: any) => key === prop))
        return true;
    const value = input[key];
    if (undefined === value)
        return true;
    return false;
})); const _vo0 = (input: any, _path: string, _exceptionable: boolean = true): boolean => [null === input.fields || undefined === input.fields || (Array.isArray(input.fields) || _report(_exceptionable, {
        path: _path + ".fields",
        expected: "(ReadonlyArray<FieldChange> | null | undefined)",
        value: input.fields
    })) && input.fields.map((elem: any, _index3: number) => ("object" === typeof elem && null !== elem || _report(_exceptionable, {
        path: _path + ".fields[" + _index3 + "]",
        expected: "FieldChange",
        value: elem
    })) && _vo1(elem, _path + ".fields[" + _index3 + "]", true && _exceptionable) || _report(_exceptionable, {
        path: _path + ".fields[" + _index3 + "]",
        expected: "FieldChange",
        value: elem
    })).every((flag: boolean) => flag) || _report(_exceptionable, {
        path: _path + ".fields",
        expected: "(ReadonlyArray<FieldChange> | null | undefined)",
        value: input.fields
    }), null === input.typo_tolerance || undefined === input.typo_tolerance || ("object" === typeof input.typo_tolerance && null !== input.typo_tolerance && false === Array.isArray(input.typo_tolerance) || _report(_exceptionable, {
        path: _path + ".typo_tolerance",
        expected: "(TypoTolerance | null | undefined)",
        value: input.typo_tolerance
    })) && _vo2(input.typo_tolerance, _path + ".typo_tolerance", true && _exceptionable) || _report(_exceptionable, {
        path: _path + ".typo_tolerance",
        expected: "(TypoTolerance | null | undefined)",
        value: input.typo_tolerance
    }), null === input.ranking || undefined === input.ranking || "best" === input.ranking || "bm25" === input.ranking || _report(_exceptionable, {
        path: _path + ".ranking",
        expected: "(\"best\" | \"bm25\" | null | undefined)",
        value: input.ranking
    }), null === input.default_sorting_field || undefined === input.default_sorting_field || "string" === typeof input.default_sorting_field || _report(_exceptionable, {
        path: _path + ".default_sorting_field",
        expected: "(null | string | undefined)",
        value: input.default_sorting_field
    }), null === input.near_ties || undefined === input.near_ties || "boolean" === typeof input.near_ties || _report(_exceptionable, {
        path: _path + ".near_ties",
        expected: "(boolean | null | undefined)",
        value: input.near_ties
    }), null === input.compress_documents || undefined === input.compress_documents || "boolean" === typeof input.compress_documents || _report(_exceptionable, {
        path: _path + ".compress_documents",
        expected: "(boolean | null | undefined)",
        value: input.compress_documents
    }), 0 === Object.keys(input).length || (false === _exceptionable || Object.keys(input).map((key: any) => {
        if (["fields", "typo_tolerance", "ranking", "default_sorting_field", "near_ties", "compress_documents"].some((prop: any) => key === prop))
            return true;
        const value = input[key];
        if (undefined === value)
            return true;
        return _report(_exceptionable, {
            path: _path + __typia_transform__accessExpressionAsString._accessExpressionAsString(key),
            expected: "undefined",
            value: value,
            description: [
                `The property \`${key}\` is not defined in the object type.`,
                "",
                "Please remove the property next time."
            ].join("\n")
        });
    }).every((flag: boolean) => flag))].every((flag: boolean) => flag); const _vo1 = (input: any, _path: string, _exceptionable: boolean = true): boolean => [undefined === input.type || "text" === input.type || "keyword" === input.type || "int" === input.type || "float" === input.type || "bool" === input.type || "date" === input.type || _report(_exceptionable, {
        path: _path + ".type",
        expected: "(\"bool\" | \"date\" | \"float\" | \"int\" | \"keyword\" | \"text\" | undefined)",
        value: input.type
    }), null === input.drop || undefined === input.drop || "boolean" === typeof input.drop || _report(_exceptionable, {
        path: _path + ".drop",
        expected: "(boolean | null | undefined)",
        value: input.drop
    }), null === input.filter || undefined === input.filter || "boolean" === typeof input.filter || _report(_exceptionable, {
        path: _path + ".filter",
        expected: "(boolean | null | undefined)",
        value: input.filter
    }), null === input.sort || undefined === input.sort || "boolean" === typeof input.sort || _report(_exceptionable, {
        path: _path + ".sort",
        expected: "(boolean | null | undefined)",
        value: input.sort
    }), null === input.facet || undefined === input.facet || "boolean" === typeof input.facet || _report(_exceptionable, {
        path: _path + ".facet",
        expected: "(boolean | null | undefined)",
        value: input.facet
    }), "string" === typeof input.name || _report(_exceptionable, {
        path: _path + ".name",
        expected: "(string & JsonSchemaPlugin<__type>)",
        value: input.name
    }), null === input.index || undefined === input.index || "boolean" === typeof input.index || _report(_exceptionable, {
        path: _path + ".index",
        expected: "(boolean | null | undefined)",
        value: input.index
    }), null === input.optional || undefined === input.optional || "boolean" === typeof input.optional || _report(_exceptionable, {
        path: _path + ".optional",
        expected: "(boolean | null | undefined)",
        value: input.optional
    }), null === input.boost || undefined === input.boost || "number" === typeof input.boost || _report(_exceptionable, {
        path: _path + ".boost",
        expected: "((number & JsonSchemaPlugin<__type>) | null | undefined)",
        value: input.boost
    }), null === input.stem || undefined === input.stem || true === _vv4.has(input.stem) || _report(_exceptionable, {
        path: _path + ".stem",
        expected: "(\"arabic\" | \"armenian\" | \"basque\" | \"catalan\" | \"danish\" | \"dutch\" | \"english\" | \"esperanto\" | \"estonian\" | \"finnish\" | \"french\" | \"german\" | \"greek\" | \"hungarian\" | \"indonesian\" | \"irish\" | \"italian\" | \"lithuanian\" | \"norwegian\" | \"portuguese\" | \"romanian\" | \"russian\" | \"serbian\" | \"spanish\" | \"swedish\" | \"turkish\" | \"yiddish\" | null | undefined)",
        value: input.stem
    }), 1 === Object.keys(input).length || (false === _exceptionable || Object.keys(input).map((key: any) => {
        if (["type", "drop", "filter", "sort", "facet", "name", "index", "optional", "boost", "stem"].some((prop: any) => key === prop))
            return true;
        const value = input[key];
        if (undefined === value)
            return true;
        return _report(_exceptionable, {
            path: _path + __typia_transform__accessExpressionAsString._accessExpressionAsString(key),
            expected: "undefined",
            value: value,
            description: [
                `The property \`${key}\` is not defined in the object type.`,
                "",
                "Please remove the property next time."
            ].join("\n")
        });
    }).every((flag: boolean) => flag))].every((flag: boolean) => flag); const _vo2 = (input: any, _path: string, _exceptionable: boolean = true): boolean => [null === input.enabled || undefined === input.enabled || "boolean" === typeof input.enabled || _report(_exceptionable, {
        path: _path + ".enabled",
        expected: "(boolean | null | undefined)",
        value: input.enabled
    }), null === input.one_typo_min_len || undefined === input.one_typo_min_len || "number" === typeof input.one_typo_min_len || _report(_exceptionable, {
        path: _path + ".one_typo_min_len",
        expected: "((number & JsonSchemaPlugin<__type>) | null | undefined)",
        value: input.one_typo_min_len
    }), null === input.two_typo_min_len || undefined === input.two_typo_min_len || "number" === typeof input.two_typo_min_len || _report(_exceptionable, {
        path: _path + ".two_typo_min_len",
        expected: "((number & JsonSchemaPlugin<__type>) | null | undefined)",
        value: input.two_typo_min_len
    }), null === input.max_typos || undefined === input.max_typos || "number" === typeof input.max_typos || _report(_exceptionable, {
        path: _path + ".max_typos",
        expected: "((number & JsonSchemaPlugin<__type>) | null | undefined)",
        value: input.max_typos
    }), 0 === Object.keys(input).length || (false === _exceptionable || Object.keys(input).map((key: any) => {
        if (["enabled", "one_typo_min_len", "two_typo_min_len", "max_typos"].some((prop: any) => key === prop))
            return true;
        const value = input[key];
        if (undefined === value)
            return true;
        return _report(_exceptionable, {
            path: _path + __typia_transform__accessExpressionAsString._accessExpressionAsString(key),
            expected: "undefined",
            value: value,
            description: [
                `The property \`${key}\` is not defined in the object type.`,
                "",
                "Please remove the property next time."
            ].join("\n")
        });
    }).every((flag: boolean) => flag))].every((flag: boolean) => flag); const __is = (input: any, _exceptionable: boolean = true): input is SchemaChange => "object" === typeof input && null !== input && false === Array.isArray(input) && _io0(input, true); let errors: any; let _report: any; return __typia_transform__createStandardSchema._createStandardSchema((input: any): import("typia").IValidation<SchemaChange> => {
    if (false === __is(input)) {
        errors = [];
        _report = (__typia_transform__validateReport._validateReport as any)(errors);
        ((input: any, _path: string, _exceptionable: boolean = true) => ("object" === typeof input && null !== input && false === Array.isArray(input) || _report(true, {
            path: _path + "",
            expected: "SchemaChange",
            value: input
        })) && _vo0(input, _path + "", true) || _report(true, {
            path: _path + "",
            expected: "SchemaChange",
            value: input
        }))(input, "$input", true);
        const success = 0 === errors.length;
        return success ? {
            success,
            data: input
        } : {
            success,
            errors,
            data: input
        } as any;
    }
    return {
        success: true,
        data: input
    } as any;
}); })();
export const validateSynonym = (() => { const _io0 = (input: any, _exceptionable: boolean = true): boolean => (null === input.root || undefined === input.root || "string" === typeof input.root) && (Array.isArray(input.synonyms) && input.synonyms.every((elem: any, _index1: number) => "string" === typeof elem)) && (null === input.id || undefined === input.id || "string" === typeof input.id) && (1 === Object.keys(input).length || Object.keys(input).every((key: any) => {
    if (["root", "synonyms", "id"].some((prop: any) => key === prop))
        return true;
    const value = input[key];
    if (undefined === value)
        return true;
    return false;
})); const _vo0 = (input: any, _path: string, _exceptionable: boolean = true): boolean => [null === input.root || undefined === input.root || "string" === typeof input.root || _report(_exceptionable, {
        path: _path + ".root",
        expected: "((string & JsonSchemaPlugin<__type>) | null | undefined)",
        value: input.root
    }), (Array.isArray(input.synonyms) || _report(_exceptionable, {
        path: _path + ".synonyms",
        expected: "(ReadonlyArray<SynonymText> & JsonSchemaPlugin<__type>)",
        value: input.synonyms
    })) && input.synonyms.map((elem: any, _index2: number) => "string" === typeof elem || _report(_exceptionable, {
        path: _path + ".synonyms[" + _index2 + "]",
        expected: "(string & JsonSchemaPlugin<__type>)",
        value: elem
    })).every((flag: boolean) => flag) || _report(_exceptionable, {
        path: _path + ".synonyms",
        expected: "(ReadonlyArray<SynonymText> & JsonSchemaPlugin<__type>)",
        value: input.synonyms
    }), null === input.id || undefined === input.id || "string" === typeof input.id || _report(_exceptionable, {
        path: _path + ".id",
        expected: "(null | string | undefined)",
        value: input.id
    }), 1 === Object.keys(input).length || (false === _exceptionable || Object.keys(input).map((key: any) => {
        if (["root", "synonyms", "id"].some((prop: any) => key === prop))
            return true;
        const value = input[key];
        if (undefined === value)
            return true;
        return _report(_exceptionable, {
            path: _path + __typia_transform__accessExpressionAsString._accessExpressionAsString(key),
            expected: "undefined",
            value: value,
            description: [
                `The property \`${key}\` is not defined in the object type.`,
                "",
                "Please remove the property next time."
            ].join("\n")
        });
    }).every((flag: boolean) => flag))].every((flag: boolean) => flag); const __is = (input: any, _exceptionable: boolean = true): input is SynonymBody => "object" === typeof input && null !== input && _io0(input, true); let errors: any; let _report: any; return __typia_transform__createStandardSchema._createStandardSchema((input: any): import("typia").IValidation<SynonymBody> => {
    if (false === __is(input)) {
        errors = [];
        _report = (__typia_transform__validateReport._validateReport as any)(errors);
        ((input: any, _path: string, _exceptionable: boolean = true) => ("object" === typeof input && null !== input || _report(true, {
            path: _path + "",
            expected: "SynonymBody",
            value: input
        })) && _vo0(input, _path + "", true) || _report(true, {
            path: _path + "",
            expected: "SynonymBody",
            value: input
        }))(input, "$input", true);
        const success = 0 === errors.length;
        return success ? {
            success,
            data: input
        } : {
            success,
            errors,
            data: input
        } as any;
    }
    return {
        success: true,
        data: input
    } as any;
}); })();
export const validateStopWords = (() => { const _io0 = (input: any, _exceptionable: boolean = true): boolean => (null === input.language || undefined === input.language || "string" === typeof input.language) && (null === input.words || undefined === input.words || Array.isArray(input.words) && input.words.every((elem: any, _index1: number) => "string" === typeof elem)) && (0 === Object.keys(input).length || Object.keys(input).every((key: any) => {
    if (["language", "words"].some((prop: any) => key === prop))
        return true;
    const value = input[key];
    if (undefined === value)
        return true;
    return false;
})); const _vo0 = (input: any, _path: string, _exceptionable: boolean = true): boolean => [null === input.language || undefined === input.language || "string" === typeof input.language || _report(_exceptionable, {
        path: _path + ".language",
        expected: "(null | string | undefined)",
        value: input.language
    }), null === input.words || undefined === input.words || (Array.isArray(input.words) || _report(_exceptionable, {
        path: _path + ".words",
        expected: "((ReadonlyArray<string> & JsonSchemaPlugin<__type>) | null | undefined)",
        value: input.words
    })) && input.words.map((elem: any, _index2: number) => "string" === typeof elem || _report(_exceptionable, {
        path: _path + ".words[" + _index2 + "]",
        expected: "string",
        value: elem
    })).every((flag: boolean) => flag) || _report(_exceptionable, {
        path: _path + ".words",
        expected: "((ReadonlyArray<string> & JsonSchemaPlugin<__type>) | null | undefined)",
        value: input.words
    }), 0 === Object.keys(input).length || (false === _exceptionable || Object.keys(input).map((key: any) => {
        if (["language", "words"].some((prop: any) => key === prop))
            return true;
        const value = input[key];
        if (undefined === value)
            return true;
        return _report(_exceptionable, {
            path: _path + __typia_transform__accessExpressionAsString._accessExpressionAsString(key),
            expected: "undefined",
            value: value,
            description: [
                `The property \`${key}\` is not defined in the object type.`,
                "",
                "Please remove the property next time."
            ].join("\n")
        });
    }).every((flag: boolean) => flag))].every((flag: boolean) => flag); const __is = (input: any, _exceptionable: boolean = true): input is StopWordsBody => "object" === typeof input && null !== input && false === Array.isArray(input) && _io0(input, true); let errors: any; let _report: any; return __typia_transform__createStandardSchema._createStandardSchema((input: any): import("typia").IValidation<StopWordsBody> => {
    if (false === __is(input)) {
        errors = [];
        _report = (__typia_transform__validateReport._validateReport as any)(errors);
        ((input: any, _path: string, _exceptionable: boolean = true) => ("object" === typeof input && null !== input && false === Array.isArray(input) || _report(true, {
            path: _path + "",
            expected: "StopWordsBody",
            value: input
        })) && _vo0(input, _path + "", true) || _report(true, {
            path: _path + "",
            expected: "StopWordsBody",
            value: input
        }))(input, "$input", true);
        const success = 0 === errors.length;
        return success ? {
            success,
            data: input
        } : {
            success,
            errors,
            data: input
        } as any;
    }
    return {
        success: true,
        data: input
    } as any;
}); })();
