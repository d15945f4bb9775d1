/**
 * Generated from ../templates by `npm run build:validators`. Never edited by hand: change the types and run that again.
 */
import * as __typia_transform__validateReport from "typia/lib/internal/_validateReport";
import * as __typia_transform__createStandardSchema from "typia/lib/internal/_createStandardSchema";
import * as __typia_transform__assertGuard from "typia/lib/internal/_assertGuard";
import * as __typia_transform__accessExpressionAsString from "typia/lib/internal/_accessExpressionAsString";
import type { AliasBody } from "../types/aliases.js";
import type { CollectionSchema, SchemaChange } from "../types/collections.js";
import type { KeyClaims } from "../types/keys.js";
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
export const assertCollectionSchema = (() => { const _iv2 = new Set(["arabic", "armenian", "basque", "catalan", "danish", "dutch", "english", "esperanto", "estonian", "finnish", "french", "german", "greek", "hungarian", "indonesian", "irish", "italian", "lithuanian", "norwegian", "portuguese", "romanian", "russian", "serbian", "spanish", "swedish", "turkish", "yiddish"]); const _av4 = new Set(["arabic", "armenian", "basque", "catalan", "danish", "dutch", "english", "esperanto", "estonian", "finnish", "french", "german", "greek", "hungarian", "indonesian", "irish", "italian", "lithuanian", "norwegian", "portuguese", "romanian", "russian", "serbian", "spanish", "swedish", "turkish", "yiddish"]); const _io0 = (input: any, _exceptionable: boolean = true): boolean => "string" === typeof input.name && (Array.isArray(input.fields) && input.fields.every((elem: any, _index1: number) => "object" === typeof elem && null !== elem && _io1(elem, true && _exceptionable))) && (null === input.typo_tolerance || undefined === input.typo_tolerance || "object" === typeof input.typo_tolerance && null !== input.typo_tolerance && false === Array.isArray(input.typo_tolerance) && _io2(input.typo_tolerance, true && _exceptionable)) && (null === input.default_sorting_field || undefined === input.default_sorting_field || "string" === typeof input.default_sorting_field) && (null === input.ranking || undefined === input.ranking || "best" === input.ranking || "bm25" === input.ranking) && (null === input.near_ties || undefined === input.near_ties || "boolean" === typeof input.near_ties) && (null === input.compress_documents || undefined === input.compress_documents || "boolean" === typeof input.compress_documents) && true && true && true && true && (2 === Object.keys(input).length || Object.keys(input).every((key: any) => {
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
})); const _ao0 = (input: any, _path: string, _exceptionable: boolean = true): boolean => ("string" === typeof input.name || __typia_transform__assertGuard._assertGuard(_exceptionable, {
    method: "typia.createAssertEquals",
    path: _path + ".name",
    expected: "(string & JsonSchemaPlugin<__type>)",
    value: input.name
}, _errorFactory)) && ((Array.isArray(input.fields) || __typia_transform__assertGuard._assertGuard(_exceptionable, {
    method: "typia.createAssertEquals",
    path: _path + ".fields",
    expected: "(ReadonlyArray<Field> & JsonSchemaPlugin<__type>)",
    value: input.fields
}, _errorFactory)) && input.fields.every((elem: any, _index3: number) => ("object" === typeof elem && null !== elem || __typia_transform__assertGuard._assertGuard(_exceptionable, {
    method: "typia.createAssertEquals",
    path: _path + ".fields[" + _index3 + "]",
    expected: "Field",
    value: elem
}, _errorFactory)) && _ao1(elem, _path + ".fields[" + _index3 + "]", true && _exceptionable) || __typia_transform__assertGuard._assertGuard(_exceptionable, {
    method: "typia.createAssertEquals",
    path: _path + ".fields[" + _index3 + "]",
    expected: "Field",
    value: elem
}, _errorFactory)) || __typia_transform__assertGuard._assertGuard(_exceptionable, {
    method: "typia.createAssertEquals",
    path: _path + ".fields",
    expected: "(ReadonlyArray<Field> & JsonSchemaPlugin<__type>)",
    value: input.fields
}, _errorFactory)) && (null === input.typo_tolerance || undefined === input.typo_tolerance || ("object" === typeof input.typo_tolerance && null !== input.typo_tolerance && false === Array.isArray(input.typo_tolerance) || __typia_transform__assertGuard._assertGuard(_exceptionable, {
    method: "typia.createAssertEquals",
    path: _path + ".typo_tolerance",
    expected: "(TypoTolerance | null | undefined)",
    value: input.typo_tolerance
}, _errorFactory)) && _ao2(input.typo_tolerance, _path + ".typo_tolerance", true && _exceptionable) || __typia_transform__assertGuard._assertGuard(_exceptionable, {
    method: "typia.createAssertEquals",
    path: _path + ".typo_tolerance",
    expected: "(TypoTolerance | null | undefined)",
    value: input.typo_tolerance
}, _errorFactory)) && (null === input.default_sorting_field || undefined === input.default_sorting_field || "string" === typeof input.default_sorting_field || __typia_transform__assertGuard._assertGuard(_exceptionable, {
    method: "typia.createAssertEquals",
    path: _path + ".default_sorting_field",
    expected: "(null | string | undefined)",
    value: input.default_sorting_field
}, _errorFactory)) && (null === input.ranking || undefined === input.ranking || "best" === input.ranking || "bm25" === input.ranking || __typia_transform__assertGuard._assertGuard(_exceptionable, {
    method: "typia.createAssertEquals",
    path: _path + ".ranking",
    expected: "(\"best\" | \"bm25\" | null | undefined)",
    value: input.ranking
}, _errorFactory)) && (null === input.near_ties || undefined === input.near_ties || "boolean" === typeof input.near_ties || __typia_transform__assertGuard._assertGuard(_exceptionable, {
    method: "typia.createAssertEquals",
    path: _path + ".near_ties",
    expected: "(boolean | null | undefined)",
    value: input.near_ties
}, _errorFactory)) && (null === input.compress_documents || undefined === input.compress_documents || "boolean" === typeof input.compress_documents || __typia_transform__assertGuard._assertGuard(_exceptionable, {
    method: "typia.createAssertEquals",
    path: _path + ".compress_documents",
    expected: "(boolean | null | undefined)",
    value: input.compress_documents
}, _errorFactory)) && true && true && true && true && (2 === Object.keys(input).length || (false === _exceptionable || Object.keys(input).every((key: any) => {
    if (["name", "fields", "typo_tolerance", "default_sorting_field", "ranking", "near_ties", "compress_documents", "created_at", "num_documents", "num_segments", "change"].some((prop: any) => key === prop))
        return true;
    const value = input[key];
    if (undefined === value)
        return true;
    return __typia_transform__assertGuard._assertGuard(_exceptionable, {
        method: "typia.createAssertEquals",
        path: _path + __typia_transform__accessExpressionAsString._accessExpressionAsString(key),
        expected: "undefined",
        value: value
    }, _errorFactory);
}))); const _ao1 = (input: any, _path: string, _exceptionable: boolean = true): boolean => ("string" === typeof input.name || __typia_transform__assertGuard._assertGuard(_exceptionable, {
    method: "typia.createAssertEquals",
    path: _path + ".name",
    expected: "(string & JsonSchemaPlugin<__type>)",
    value: input.name
}, _errorFactory)) && ("text" === input.type || "keyword" === input.type || "int" === input.type || "float" === input.type || "bool" === input.type || "date" === input.type || __typia_transform__assertGuard._assertGuard(_exceptionable, {
    method: "typia.createAssertEquals",
    path: _path + ".type",
    expected: "(\"bool\" | \"date\" | \"float\" | \"int\" | \"keyword\" | \"text\")",
    value: input.type
}, _errorFactory)) && (null === input.facet || undefined === input.facet || "boolean" === typeof input.facet || __typia_transform__assertGuard._assertGuard(_exceptionable, {
    method: "typia.createAssertEquals",
    path: _path + ".facet",
    expected: "(boolean | null | undefined)",
    value: input.facet
}, _errorFactory)) && (null === input.filter || undefined === input.filter || "boolean" === typeof input.filter || __typia_transform__assertGuard._assertGuard(_exceptionable, {
    method: "typia.createAssertEquals",
    path: _path + ".filter",
    expected: "(boolean | null | undefined)",
    value: input.filter
}, _errorFactory)) && (null === input.sort || undefined === input.sort || "boolean" === typeof input.sort || __typia_transform__assertGuard._assertGuard(_exceptionable, {
    method: "typia.createAssertEquals",
    path: _path + ".sort",
    expected: "(boolean | null | undefined)",
    value: input.sort
}, _errorFactory)) && (null === input.index || undefined === input.index || "boolean" === typeof input.index || __typia_transform__assertGuard._assertGuard(_exceptionable, {
    method: "typia.createAssertEquals",
    path: _path + ".index",
    expected: "(boolean | null | undefined)",
    value: input.index
}, _errorFactory)) && (null === input.optional || undefined === input.optional || "boolean" === typeof input.optional || __typia_transform__assertGuard._assertGuard(_exceptionable, {
    method: "typia.createAssertEquals",
    path: _path + ".optional",
    expected: "(boolean | null | undefined)",
    value: input.optional
}, _errorFactory)) && (null === input.boost || undefined === input.boost || "number" === typeof input.boost || __typia_transform__assertGuard._assertGuard(_exceptionable, {
    method: "typia.createAssertEquals",
    path: _path + ".boost",
    expected: "((number & JsonSchemaPlugin<__type>) | null | undefined)",
    value: input.boost
}, _errorFactory)) && (null === input.stem || undefined === input.stem || true === _av4.has(input.stem) || __typia_transform__assertGuard._assertGuard(_exceptionable, {
    method: "typia.createAssertEquals",
    path: _path + ".stem",
    expected: "(\"arabic\" | \"armenian\" | \"basque\" | \"catalan\" | \"danish\" | \"dutch\" | \"english\" | \"esperanto\" | \"estonian\" | \"finnish\" | \"french\" | \"german\" | \"greek\" | \"hungarian\" | \"indonesian\" | \"irish\" | \"italian\" | \"lithuanian\" | \"norwegian\" | \"portuguese\" | \"romanian\" | \"russian\" | \"serbian\" | \"spanish\" | \"swedish\" | \"turkish\" | \"yiddish\" | null | undefined)",
    value: input.stem
}, _errorFactory)) && (2 === Object.keys(input).length || (false === _exceptionable || Object.keys(input).every((key: any) => {
    if (["name", "type", "facet", "filter", "sort", "index", "optional", "boost", "stem"].some((prop: any) => key === prop))
        return true;
    const value = input[key];
    if (undefined === value)
        return true;
    return __typia_transform__assertGuard._assertGuard(_exceptionable, {
        method: "typia.createAssertEquals",
        path: _path + __typia_transform__accessExpressionAsString._accessExpressionAsString(key),
        expected: "undefined",
        value: value
    }, _errorFactory);
}))); const _ao2 = (input: any, _path: string, _exceptionable: boolean = true): boolean => (null === input.enabled || undefined === input.enabled || "boolean" === typeof input.enabled || __typia_transform__assertGuard._assertGuard(_exceptionable, {
    method: "typia.createAssertEquals",
    path: _path + ".enabled",
    expected: "(boolean | null | undefined)",
    value: input.enabled
}, _errorFactory)) && (null === input.one_typo_min_len || undefined === input.one_typo_min_len || "number" === typeof input.one_typo_min_len || __typia_transform__assertGuard._assertGuard(_exceptionable, {
    method: "typia.createAssertEquals",
    path: _path + ".one_typo_min_len",
    expected: "((number & JsonSchemaPlugin<__type>) | null | undefined)",
    value: input.one_typo_min_len
}, _errorFactory)) && (null === input.two_typo_min_len || undefined === input.two_typo_min_len || "number" === typeof input.two_typo_min_len || __typia_transform__assertGuard._assertGuard(_exceptionable, {
    method: "typia.createAssertEquals",
    path: _path + ".two_typo_min_len",
    expected: "((number & JsonSchemaPlugin<__type>) | null | undefined)",
    value: input.two_typo_min_len
}, _errorFactory)) && (null === input.max_typos || undefined === input.max_typos || "number" === typeof input.max_typos || __typia_transform__assertGuard._assertGuard(_exceptionable, {
    method: "typia.createAssertEquals",
    path: _path + ".max_typos",
    expected: "((number & JsonSchemaPlugin<__type>) | null | undefined)",
    value: input.max_typos
}, _errorFactory)) && (0 === Object.keys(input).length || (false === _exceptionable || Object.keys(input).every((key: any) => {
    if (["enabled", "one_typo_min_len", "two_typo_min_len", "max_typos"].some((prop: any) => key === prop))
        return true;
    const value = input[key];
    if (undefined === value)
        return true;
    return __typia_transform__assertGuard._assertGuard(_exceptionable, {
        method: "typia.createAssertEquals",
        path: _path + __typia_transform__accessExpressionAsString._accessExpressionAsString(key),
        expected: "undefined",
        value: value
    }, _errorFactory);
}))); const __is = (input: any, _exceptionable: boolean = true): input is CollectionSchema => "object" === typeof input && null !== input && _io0(input, true); let _errorFactory: any; return (input: any, errorFactory?: (p: import("typia").TypeGuardError.IProps) => Error): CollectionSchema => {
    if (false === __is(input)) {
        _errorFactory = errorFactory;
        ((input: any, _path: string, _exceptionable: boolean = true) => ("object" === typeof input && null !== input || __typia_transform__assertGuard._assertGuard(true, {
            method: "typia.createAssertEquals",
            path: _path + "",
            expected: "CollectionSchema",
            value: input
        }, _errorFactory)) && _ao0(input, _path + "", true) || __typia_transform__assertGuard._assertGuard(true, {
            method: "typia.createAssertEquals",
            path: _path + "",
            expected: "CollectionSchema",
            value: input
        }, _errorFactory))(input, "$input", true);
    }
    return input;
}; })();
export const assertSchemaChange = (() => { const _iv2 = new Set(["arabic", "armenian", "basque", "catalan", "danish", "dutch", "english", "esperanto", "estonian", "finnish", "french", "german", "greek", "hungarian", "indonesian", "irish", "italian", "lithuanian", "norwegian", "portuguese", "romanian", "russian", "serbian", "spanish", "swedish", "turkish", "yiddish"]); const _av4 = new Set(["arabic", "armenian", "basque", "catalan", "danish", "dutch", "english", "esperanto", "estonian", "finnish", "french", "german", "greek", "hungarian", "indonesian", "irish", "italian", "lithuanian", "norwegian", "portuguese", "romanian", "russian", "serbian", "spanish", "swedish", "turkish", "yiddish"]); const _io0 = (input: any, _exceptionable: boolean = true): boolean => (null === input.fields || undefined === input.fields || Array.isArray(input.fields) && input.fields.every((elem: any, _index1: number) => "object" === typeof elem && null !== elem && _io1(elem, true && _exceptionable))) && (null === input.typo_tolerance || undefined === input.typo_tolerance || "object" === typeof input.typo_tolerance && null !== input.typo_tolerance && false === Array.isArray(input.typo_tolerance) && _io2(input.typo_tolerance, true && _exceptionable)) && (null === input.ranking || undefined === input.ranking || "best" === input.ranking || "bm25" === input.ranking) && (null === input.default_sorting_field || undefined === input.default_sorting_field || "string" === typeof input.default_sorting_field) && (null === input.near_ties || undefined === input.near_ties || "boolean" === typeof input.near_ties) && (null === input.compress_documents || undefined === input.compress_documents || "boolean" === typeof input.compress_documents) && (0 === Object.keys(input).length || Object.keys(input).every((key: any) => {
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
})); const _ao0 = (input: any, _path: string, _exceptionable: boolean = true): boolean => (null === input.fields || undefined === input.fields || (Array.isArray(input.fields) || __typia_transform__assertGuard._assertGuard(_exceptionable, {
    method: "typia.createAssertEquals",
    path: _path + ".fields",
    expected: "(ReadonlyArray<FieldChange> | null | undefined)",
    value: input.fields
}, _errorFactory)) && input.fields.every((elem: any, _index3: number) => ("object" === typeof elem && null !== elem || __typia_transform__assertGuard._assertGuard(_exceptionable, {
    method: "typia.createAssertEquals",
    path: _path + ".fields[" + _index3 + "]",
    expected: "FieldChange",
    value: elem
}, _errorFactory)) && _ao1(elem, _path + ".fields[" + _index3 + "]", true && _exceptionable) || __typia_transform__assertGuard._assertGuard(_exceptionable, {
    method: "typia.createAssertEquals",
    path: _path + ".fields[" + _index3 + "]",
    expected: "FieldChange",
    value: elem
}, _errorFactory)) || __typia_transform__assertGuard._assertGuard(_exceptionable, {
    method: "typia.createAssertEquals",
    path: _path + ".fields",
    expected: "(ReadonlyArray<FieldChange> | null | undefined)",
    value: input.fields
}, _errorFactory)) && (null === input.typo_tolerance || undefined === input.typo_tolerance || ("object" === typeof input.typo_tolerance && null !== input.typo_tolerance && false === Array.isArray(input.typo_tolerance) || __typia_transform__assertGuard._assertGuard(_exceptionable, {
    method: "typia.createAssertEquals",
    path: _path + ".typo_tolerance",
    expected: "(TypoToleranceChange | null | undefined)",
    value: input.typo_tolerance
}, _errorFactory)) && _ao2(input.typo_tolerance, _path + ".typo_tolerance", true && _exceptionable) || __typia_transform__assertGuard._assertGuard(_exceptionable, {
    method: "typia.createAssertEquals",
    path: _path + ".typo_tolerance",
    expected: "(TypoToleranceChange | null | undefined)",
    value: input.typo_tolerance
}, _errorFactory)) && (null === input.ranking || undefined === input.ranking || "best" === input.ranking || "bm25" === input.ranking || __typia_transform__assertGuard._assertGuard(_exceptionable, {
    method: "typia.createAssertEquals",
    path: _path + ".ranking",
    expected: "(\"best\" | \"bm25\" | null | undefined)",
    value: input.ranking
}, _errorFactory)) && (null === input.default_sorting_field || undefined === input.default_sorting_field || "string" === typeof input.default_sorting_field || __typia_transform__assertGuard._assertGuard(_exceptionable, {
    method: "typia.createAssertEquals",
    path: _path + ".default_sorting_field",
    expected: "(null | string | undefined)",
    value: input.default_sorting_field
}, _errorFactory)) && (null === input.near_ties || undefined === input.near_ties || "boolean" === typeof input.near_ties || __typia_transform__assertGuard._assertGuard(_exceptionable, {
    method: "typia.createAssertEquals",
    path: _path + ".near_ties",
    expected: "(boolean | null | undefined)",
    value: input.near_ties
}, _errorFactory)) && (null === input.compress_documents || undefined === input.compress_documents || "boolean" === typeof input.compress_documents || __typia_transform__assertGuard._assertGuard(_exceptionable, {
    method: "typia.createAssertEquals",
    path: _path + ".compress_documents",
    expected: "(boolean | null | undefined)",
    value: input.compress_documents
}, _errorFactory)) && (0 === Object.keys(input).length || (false === _exceptionable || Object.keys(input).every((key: any) => {
    if (["fields", "typo_tolerance", "ranking", "default_sorting_field", "near_ties", "compress_documents"].some((prop: any) => key === prop))
        return true;
    const value = input[key];
    if (undefined === value)
        return true;
    return __typia_transform__assertGuard._assertGuard(_exceptionable, {
        method: "typia.createAssertEquals",
        path: _path + __typia_transform__accessExpressionAsString._accessExpressionAsString(key),
        expected: "undefined",
        value: value
    }, _errorFactory);
}))); const _ao1 = (input: any, _path: string, _exceptionable: boolean = true): boolean => (undefined === input.type || "text" === input.type || "keyword" === input.type || "int" === input.type || "float" === input.type || "bool" === input.type || "date" === input.type || __typia_transform__assertGuard._assertGuard(_exceptionable, {
    method: "typia.createAssertEquals",
    path: _path + ".type",
    expected: "(\"bool\" | \"date\" | \"float\" | \"int\" | \"keyword\" | \"text\" | undefined)",
    value: input.type
}, _errorFactory)) && (null === input.drop || undefined === input.drop || "boolean" === typeof input.drop || __typia_transform__assertGuard._assertGuard(_exceptionable, {
    method: "typia.createAssertEquals",
    path: _path + ".drop",
    expected: "(boolean | null | undefined)",
    value: input.drop
}, _errorFactory)) && (null === input.filter || undefined === input.filter || "boolean" === typeof input.filter || __typia_transform__assertGuard._assertGuard(_exceptionable, {
    method: "typia.createAssertEquals",
    path: _path + ".filter",
    expected: "(boolean | null | undefined)",
    value: input.filter
}, _errorFactory)) && (null === input.sort || undefined === input.sort || "boolean" === typeof input.sort || __typia_transform__assertGuard._assertGuard(_exceptionable, {
    method: "typia.createAssertEquals",
    path: _path + ".sort",
    expected: "(boolean | null | undefined)",
    value: input.sort
}, _errorFactory)) && (null === input.facet || undefined === input.facet || "boolean" === typeof input.facet || __typia_transform__assertGuard._assertGuard(_exceptionable, {
    method: "typia.createAssertEquals",
    path: _path + ".facet",
    expected: "(boolean | null | undefined)",
    value: input.facet
}, _errorFactory)) && ("string" === typeof input.name || __typia_transform__assertGuard._assertGuard(_exceptionable, {
    method: "typia.createAssertEquals",
    path: _path + ".name",
    expected: "(string & JsonSchemaPlugin<__type>)",
    value: input.name
}, _errorFactory)) && (null === input.index || undefined === input.index || "boolean" === typeof input.index || __typia_transform__assertGuard._assertGuard(_exceptionable, {
    method: "typia.createAssertEquals",
    path: _path + ".index",
    expected: "(boolean | null | undefined)",
    value: input.index
}, _errorFactory)) && (null === input.optional || undefined === input.optional || "boolean" === typeof input.optional || __typia_transform__assertGuard._assertGuard(_exceptionable, {
    method: "typia.createAssertEquals",
    path: _path + ".optional",
    expected: "(boolean | null | undefined)",
    value: input.optional
}, _errorFactory)) && (null === input.boost || undefined === input.boost || "number" === typeof input.boost || __typia_transform__assertGuard._assertGuard(_exceptionable, {
    method: "typia.createAssertEquals",
    path: _path + ".boost",
    expected: "((number & JsonSchemaPlugin<__type>) | null | undefined)",
    value: input.boost
}, _errorFactory)) && (null === input.stem || undefined === input.stem || true === _av4.has(input.stem) || __typia_transform__assertGuard._assertGuard(_exceptionable, {
    method: "typia.createAssertEquals",
    path: _path + ".stem",
    expected: "(\"arabic\" | \"armenian\" | \"basque\" | \"catalan\" | \"danish\" | \"dutch\" | \"english\" | \"esperanto\" | \"estonian\" | \"finnish\" | \"french\" | \"german\" | \"greek\" | \"hungarian\" | \"indonesian\" | \"irish\" | \"italian\" | \"lithuanian\" | \"norwegian\" | \"portuguese\" | \"romanian\" | \"russian\" | \"serbian\" | \"spanish\" | \"swedish\" | \"turkish\" | \"yiddish\" | null | undefined)",
    value: input.stem
}, _errorFactory)) && (1 === Object.keys(input).length || (false === _exceptionable || Object.keys(input).every((key: any) => {
    if (["type", "drop", "filter", "sort", "facet", "name", "index", "optional", "boost", "stem"].some((prop: any) => key === prop))
        return true;
    const value = input[key];
    if (undefined === value)
        return true;
    return __typia_transform__assertGuard._assertGuard(_exceptionable, {
        method: "typia.createAssertEquals",
        path: _path + __typia_transform__accessExpressionAsString._accessExpressionAsString(key),
        expected: "undefined",
        value: value
    }, _errorFactory);
}))); const _ao2 = (input: any, _path: string, _exceptionable: boolean = true): boolean => (null === input.enabled || undefined === input.enabled || "boolean" === typeof input.enabled || __typia_transform__assertGuard._assertGuard(_exceptionable, {
    method: "typia.createAssertEquals",
    path: _path + ".enabled",
    expected: "(boolean | null | undefined)",
    value: input.enabled
}, _errorFactory)) && (null === input.one_typo_min_len || undefined === input.one_typo_min_len || "number" === typeof input.one_typo_min_len || __typia_transform__assertGuard._assertGuard(_exceptionable, {
    method: "typia.createAssertEquals",
    path: _path + ".one_typo_min_len",
    expected: "((number & JsonSchemaPlugin<__type>) | null | undefined)",
    value: input.one_typo_min_len
}, _errorFactory)) && (null === input.two_typo_min_len || undefined === input.two_typo_min_len || "number" === typeof input.two_typo_min_len || __typia_transform__assertGuard._assertGuard(_exceptionable, {
    method: "typia.createAssertEquals",
    path: _path + ".two_typo_min_len",
    expected: "((number & JsonSchemaPlugin<__type>) | null | undefined)",
    value: input.two_typo_min_len
}, _errorFactory)) && (null === input.max_typos || undefined === input.max_typos || "number" === typeof input.max_typos || __typia_transform__assertGuard._assertGuard(_exceptionable, {
    method: "typia.createAssertEquals",
    path: _path + ".max_typos",
    expected: "((number & JsonSchemaPlugin<__type>) | null | undefined)",
    value: input.max_typos
}, _errorFactory)) && (0 === Object.keys(input).length || (false === _exceptionable || Object.keys(input).every((key: any) => {
    if (["enabled", "one_typo_min_len", "two_typo_min_len", "max_typos"].some((prop: any) => key === prop))
        return true;
    const value = input[key];
    if (undefined === value)
        return true;
    return __typia_transform__assertGuard._assertGuard(_exceptionable, {
        method: "typia.createAssertEquals",
        path: _path + __typia_transform__accessExpressionAsString._accessExpressionAsString(key),
        expected: "undefined",
        value: value
    }, _errorFactory);
}))); const __is = (input: any, _exceptionable: boolean = true): input is SchemaChange => "object" === typeof input && null !== input && false === Array.isArray(input) && _io0(input, true); let _errorFactory: any; return (input: any, errorFactory?: (p: import("typia").TypeGuardError.IProps) => Error): SchemaChange => {
    if (false === __is(input)) {
        _errorFactory = errorFactory;
        ((input: any, _path: string, _exceptionable: boolean = true) => ("object" === typeof input && null !== input && false === Array.isArray(input) || __typia_transform__assertGuard._assertGuard(true, {
            method: "typia.createAssertEquals",
            path: _path + "",
            expected: "SchemaChange",
            value: input
        }, _errorFactory)) && _ao0(input, _path + "", true) || __typia_transform__assertGuard._assertGuard(true, {
            method: "typia.createAssertEquals",
            path: _path + "",
            expected: "SchemaChange",
            value: input
        }, _errorFactory))(input, "$input", true);
    }
    return input;
}; })();
export const validateKeyClaims = (() => { const _io0 = (input: any, _exceptionable: boolean = true): boolean => (undefined === input.collections || Array.isArray(input.collections) && (1 <= input.collections.length && input.collections.every((elem: any, _index1: number) => "string" === typeof elem && 1 <= elem.length))) && (undefined === input.filter || "string" === typeof input.filter && RegExp("\\S").test(input.filter)) && (undefined === input.parameters || "object" === typeof input.parameters && null !== input.parameters && false === Array.isArray(input.parameters) && _io1(input.parameters, true && _exceptionable)) && (undefined === input.expires || "number" === typeof input.expires && 0 <= input.expires) && (undefined === input.epoch || "number" === typeof input.epoch && 0 <= input.epoch) && (0 === Object.keys(input).length || Object.keys(input).every((key: any) => {
    if (["collections", "filter", "parameters", "expires", "epoch"].some((prop: any) => key === prop))
        return true;
    const value = input[key];
    if (undefined === value)
        return true;
    return false;
})); const _io1 = (input: any, _exceptionable: boolean = true): boolean => (null === input.q || undefined === input.q || "string" === typeof input.q || "number" === typeof input.q || "boolean" === typeof input.q || Array.isArray(input.q) && input.q.every((elem: any, _index2: number) => "string" === typeof elem)) && (null === input.query_by || undefined === input.query_by || "string" === typeof input.query_by || "number" === typeof input.query_by || "boolean" === typeof input.query_by || Array.isArray(input.query_by) && input.query_by.every((elem: any, _index3: number) => "string" === typeof elem)) && (null === input.filter || undefined === input.filter || "string" === typeof input.filter || "number" === typeof input.filter || "boolean" === typeof input.filter || Array.isArray(input.filter) && input.filter.every((elem: any, _index4: number) => "string" === typeof elem)) && (null === input.sort || undefined === input.sort || "string" === typeof input.sort || "number" === typeof input.sort || "boolean" === typeof input.sort || Array.isArray(input.sort) && input.sort.every((elem: any, _index5: number) => "string" === typeof elem)) && (null === input.facet || undefined === input.facet || "string" === typeof input.facet || "number" === typeof input.facet || "boolean" === typeof input.facet || Array.isArray(input.facet) && input.facet.every((elem: any, _index6: number) => "string" === typeof elem)) && (null === input.facet_limit || undefined === input.facet_limit || "string" === typeof input.facet_limit || "number" === typeof input.facet_limit || "boolean" === typeof input.facet_limit || Array.isArray(input.facet_limit) && input.facet_limit.every((elem: any, _index7: number) => "string" === typeof elem)) && (null === input.facet_sort || undefined === input.facet_sort || "string" === typeof input.facet_sort || "number" === typeof input.facet_sort || "boolean" === typeof input.facet_sort || Array.isArray(input.facet_sort) && input.facet_sort.every((elem: any, _index8: number) => "string" === typeof elem)) && (null === input.facet_stats || undefined === input.facet_stats || "string" === typeof input.facet_stats || "number" === typeof input.facet_stats || "boolean" === typeof input.facet_stats || Array.isArray(input.facet_stats) && input.facet_stats.every((elem: any, _index9: number) => "string" === typeof elem)) && (null === input.facet_query || undefined === input.facet_query || "string" === typeof input.facet_query || "number" === typeof input.facet_query || "boolean" === typeof input.facet_query || Array.isArray(input.facet_query) && input.facet_query.every((elem: any, _index10: number) => "string" === typeof elem)) && (null === input.distinct || undefined === input.distinct || "string" === typeof input.distinct || "number" === typeof input.distinct || "boolean" === typeof input.distinct || Array.isArray(input.distinct) && input.distinct.every((elem: any, _index11: number) => "string" === typeof elem)) && (null === input.limit || undefined === input.limit || "string" === typeof input.limit || "number" === typeof input.limit || "boolean" === typeof input.limit || Array.isArray(input.limit) && input.limit.every((elem: any, _index12: number) => "string" === typeof elem)) && (null === input.offset || undefined === input.offset || "string" === typeof input.offset || "number" === typeof input.offset || "boolean" === typeof input.offset || Array.isArray(input.offset) && input.offset.every((elem: any, _index13: number) => "string" === typeof elem)) && (null === input.prefix || undefined === input.prefix || "string" === typeof input.prefix || "number" === typeof input.prefix || "boolean" === typeof input.prefix || Array.isArray(input.prefix) && input.prefix.every((elem: any, _index14: number) => "string" === typeof elem)) && (null === input.typo_tolerance || undefined === input.typo_tolerance || "string" === typeof input.typo_tolerance || "number" === typeof input.typo_tolerance || "boolean" === typeof input.typo_tolerance || Array.isArray(input.typo_tolerance) && input.typo_tolerance.every((elem: any, _index15: number) => "string" === typeof elem)) && (null === input.match_mode || undefined === input.match_mode || "string" === typeof input.match_mode || "number" === typeof input.match_mode || "boolean" === typeof input.match_mode || Array.isArray(input.match_mode) && input.match_mode.every((elem: any, _index16: number) => "string" === typeof elem)) && (null === input.typo_threshold || undefined === input.typo_threshold || "string" === typeof input.typo_threshold || "number" === typeof input.typo_threshold || "boolean" === typeof input.typo_threshold || Array.isArray(input.typo_threshold) && input.typo_threshold.every((elem: any, _index17: number) => "string" === typeof elem)) && (null === input.ranking || undefined === input.ranking || "string" === typeof input.ranking || "number" === typeof input.ranking || "boolean" === typeof input.ranking || Array.isArray(input.ranking) && input.ranking.every((elem: any, _index18: number) => "string" === typeof elem)) && (null === input.highlight || undefined === input.highlight || "string" === typeof input.highlight || "number" === typeof input.highlight || "boolean" === typeof input.highlight || Array.isArray(input.highlight) && input.highlight.every((elem: any, _index19: number) => "string" === typeof elem)) && (null === input.highlight_open || undefined === input.highlight_open || "string" === typeof input.highlight_open || "number" === typeof input.highlight_open || "boolean" === typeof input.highlight_open || Array.isArray(input.highlight_open) && input.highlight_open.every((elem: any, _index20: number) => "string" === typeof elem)) && (null === input.highlight_close || undefined === input.highlight_close || "string" === typeof input.highlight_close || "number" === typeof input.highlight_close || "boolean" === typeof input.highlight_close || Array.isArray(input.highlight_close) && input.highlight_close.every((elem: any, _index21: number) => "string" === typeof elem)) && (null === input.snippet_tokens || undefined === input.snippet_tokens || "string" === typeof input.snippet_tokens || "number" === typeof input.snippet_tokens || "boolean" === typeof input.snippet_tokens || Array.isArray(input.snippet_tokens) && input.snippet_tokens.every((elem: any, _index22: number) => "string" === typeof elem)) && (null === input.explain || undefined === input.explain || "string" === typeof input.explain || "number" === typeof input.explain || "boolean" === typeof input.explain || Array.isArray(input.explain) && input.explain.every((elem: any, _index23: number) => "string" === typeof elem)) && (null === input.explain_id || undefined === input.explain_id || "string" === typeof input.explain_id || "number" === typeof input.explain_id || "boolean" === typeof input.explain_id || Array.isArray(input.explain_id) && input.explain_id.every((elem: any, _index24: number) => "string" === typeof elem)) && (null === input.include_fields || undefined === input.include_fields || "string" === typeof input.include_fields || "number" === typeof input.include_fields || "boolean" === typeof input.include_fields || Array.isArray(input.include_fields) && input.include_fields.every((elem: any, _index25: number) => "string" === typeof elem)) && (null === input.exclude_fields || undefined === input.exclude_fields || "string" === typeof input.exclude_fields || "number" === typeof input.exclude_fields || "boolean" === typeof input.exclude_fields || Array.isArray(input.exclude_fields) && input.exclude_fields.every((elem: any, _index26: number) => "string" === typeof elem)) && (0 === Object.keys(input).length || Object.keys(input).every((key: any) => {
    if (["q", "query_by", "filter", "sort", "facet", "facet_limit", "facet_sort", "facet_stats", "facet_query", "distinct", "limit", "offset", "prefix", "typo_tolerance", "match_mode", "typo_threshold", "ranking", "highlight", "highlight_open", "highlight_close", "snippet_tokens", "explain", "explain_id", "include_fields", "exclude_fields"].some((prop: any) => key === prop))
        return true;
    const value = input[key];
    if (undefined === value)
        return true;
    return false;
})); const _vo0 = (input: any, _path: string, _exceptionable: boolean = true): boolean => [undefined === input.collections || (Array.isArray(input.collections) || _report(_exceptionable, {
        path: _path + ".collections",
        expected: "((ReadonlyArray<string & MinLength<1>> & MinItems<1>) | undefined)",
        value: input.collections
    })) && ((1 <= input.collections.length || _report(_exceptionable, {
        path: _path + ".collections",
        expected: "Array<> & MinItems<1>",
        value: input.collections
    })) && input.collections.map((elem: any, _index27: number) => "string" === typeof elem && (1 <= elem.length || _report(_exceptionable, {
        path: _path + ".collections[" + _index27 + "]",
        expected: "string & MinLength<1>",
        value: elem
    })) || _report(_exceptionable, {
        path: _path + ".collections[" + _index27 + "]",
        expected: "(string & MinLength<1>)",
        value: elem
    })).every((flag: boolean) => flag)) || _report(_exceptionable, {
        path: _path + ".collections",
        expected: "((ReadonlyArray<string & MinLength<1>> & MinItems<1>) | undefined)",
        value: input.collections
    }), undefined === input.filter || "string" === typeof input.filter && (RegExp("\\S").test(input.filter) || _report(_exceptionable, {
        path: _path + ".filter",
        expected: "string & Pattern<\"\\\\S\">",
        value: input.filter
    })) || _report(_exceptionable, {
        path: _path + ".filter",
        expected: "((string & Pattern<\"\\\\S\">) | undefined)",
        value: input.filter
    }), undefined === input.parameters || ("object" === typeof input.parameters && null !== input.parameters && false === Array.isArray(input.parameters) || _report(_exceptionable, {
        path: _path + ".parameters",
        expected: "(__type | undefined)",
        value: input.parameters
    })) && _vo1(input.parameters, _path + ".parameters", true && _exceptionable) || _report(_exceptionable, {
        path: _path + ".parameters",
        expected: "(__type | undefined)",
        value: input.parameters
    }), undefined === input.expires || "number" === typeof input.expires && (0 <= input.expires || _report(_exceptionable, {
        path: _path + ".expires",
        expected: "number & Minimum<0>",
        value: input.expires
    })) || _report(_exceptionable, {
        path: _path + ".expires",
        expected: "((number & Minimum<0>) | undefined)",
        value: input.expires
    }), undefined === input.epoch || "number" === typeof input.epoch && (0 <= input.epoch || _report(_exceptionable, {
        path: _path + ".epoch",
        expected: "number & Minimum<0>",
        value: input.epoch
    })) || _report(_exceptionable, {
        path: _path + ".epoch",
        expected: "((number & Minimum<0>) | undefined)",
        value: input.epoch
    }), 0 === Object.keys(input).length || (false === _exceptionable || Object.keys(input).map((key: any) => {
        if (["collections", "filter", "parameters", "expires", "epoch"].some((prop: any) => key === prop))
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
    }).every((flag: boolean) => flag))].every((flag: boolean) => flag); const _vo1 = (input: any, _path: string, _exceptionable: boolean = true): boolean => [null === input.q || undefined === input.q || "string" === typeof input.q || "number" === typeof input.q || "boolean" === typeof input.q || (Array.isArray(input.q) || _report(_exceptionable, {
        path: _path + ".q",
        expected: "(ReadonlyArray<string> | boolean | null | number | string | undefined)",
        value: input.q
    })) && input.q.map((elem: any, _index28: number) => "string" === typeof elem || _report(_exceptionable, {
        path: _path + ".q[" + _index28 + "]",
        expected: "string",
        value: elem
    })).every((flag: boolean) => flag) || _report(_exceptionable, {
        path: _path + ".q",
        expected: "(ReadonlyArray<string> | boolean | null | number | string | undefined)",
        value: input.q
    }), null === input.query_by || undefined === input.query_by || "string" === typeof input.query_by || "number" === typeof input.query_by || "boolean" === typeof input.query_by || (Array.isArray(input.query_by) || _report(_exceptionable, {
        path: _path + ".query_by",
        expected: "(ReadonlyArray<string> | boolean | null | number | string | undefined)",
        value: input.query_by
    })) && input.query_by.map((elem: any, _index29: number) => "string" === typeof elem || _report(_exceptionable, {
        path: _path + ".query_by[" + _index29 + "]",
        expected: "string",
        value: elem
    })).every((flag: boolean) => flag) || _report(_exceptionable, {
        path: _path + ".query_by",
        expected: "(ReadonlyArray<string> | boolean | null | number | string | undefined)",
        value: input.query_by
    }), null === input.filter || undefined === input.filter || "string" === typeof input.filter || "number" === typeof input.filter || "boolean" === typeof input.filter || (Array.isArray(input.filter) || _report(_exceptionable, {
        path: _path + ".filter",
        expected: "(ReadonlyArray<string> | boolean | null | number | string | undefined)",
        value: input.filter
    })) && input.filter.map((elem: any, _index30: number) => "string" === typeof elem || _report(_exceptionable, {
        path: _path + ".filter[" + _index30 + "]",
        expected: "string",
        value: elem
    })).every((flag: boolean) => flag) || _report(_exceptionable, {
        path: _path + ".filter",
        expected: "(ReadonlyArray<string> | boolean | null | number | string | undefined)",
        value: input.filter
    }), null === input.sort || undefined === input.sort || "string" === typeof input.sort || "number" === typeof input.sort || "boolean" === typeof input.sort || (Array.isArray(input.sort) || _report(_exceptionable, {
        path: _path + ".sort",
        expected: "(ReadonlyArray<string> | boolean | null | number | string | undefined)",
        value: input.sort
    })) && input.sort.map((elem: any, _index31: number) => "string" === typeof elem || _report(_exceptionable, {
        path: _path + ".sort[" + _index31 + "]",
        expected: "string",
        value: elem
    })).every((flag: boolean) => flag) || _report(_exceptionable, {
        path: _path + ".sort",
        expected: "(ReadonlyArray<string> | boolean | null | number | string | undefined)",
        value: input.sort
    }), null === input.facet || undefined === input.facet || "string" === typeof input.facet || "number" === typeof input.facet || "boolean" === typeof input.facet || (Array.isArray(input.facet) || _report(_exceptionable, {
        path: _path + ".facet",
        expected: "(ReadonlyArray<string> | boolean | null | number | string | undefined)",
        value: input.facet
    })) && input.facet.map((elem: any, _index32: number) => "string" === typeof elem || _report(_exceptionable, {
        path: _path + ".facet[" + _index32 + "]",
        expected: "string",
        value: elem
    })).every((flag: boolean) => flag) || _report(_exceptionable, {
        path: _path + ".facet",
        expected: "(ReadonlyArray<string> | boolean | null | number | string | undefined)",
        value: input.facet
    }), null === input.facet_limit || undefined === input.facet_limit || "string" === typeof input.facet_limit || "number" === typeof input.facet_limit || "boolean" === typeof input.facet_limit || (Array.isArray(input.facet_limit) || _report(_exceptionable, {
        path: _path + ".facet_limit",
        expected: "(ReadonlyArray<string> | boolean | null | number | string | undefined)",
        value: input.facet_limit
    })) && input.facet_limit.map((elem: any, _index33: number) => "string" === typeof elem || _report(_exceptionable, {
        path: _path + ".facet_limit[" + _index33 + "]",
        expected: "string",
        value: elem
    })).every((flag: boolean) => flag) || _report(_exceptionable, {
        path: _path + ".facet_limit",
        expected: "(ReadonlyArray<string> | boolean | null | number | string | undefined)",
        value: input.facet_limit
    }), null === input.facet_sort || undefined === input.facet_sort || "string" === typeof input.facet_sort || "number" === typeof input.facet_sort || "boolean" === typeof input.facet_sort || (Array.isArray(input.facet_sort) || _report(_exceptionable, {
        path: _path + ".facet_sort",
        expected: "(ReadonlyArray<string> | boolean | null | number | string | undefined)",
        value: input.facet_sort
    })) && input.facet_sort.map((elem: any, _index34: number) => "string" === typeof elem || _report(_exceptionable, {
        path: _path + ".facet_sort[" + _index34 + "]",
        expected: "string",
        value: elem
    })).every((flag: boolean) => flag) || _report(_exceptionable, {
        path: _path + ".facet_sort",
        expected: "(ReadonlyArray<string> | boolean | null | number | string | undefined)",
        value: input.facet_sort
    }), null === input.facet_stats || undefined === input.facet_stats || "string" === typeof input.facet_stats || "number" === typeof input.facet_stats || "boolean" === typeof input.facet_stats || (Array.isArray(input.facet_stats) || _report(_exceptionable, {
        path: _path + ".facet_stats",
        expected: "(ReadonlyArray<string> | boolean | null | number | string | undefined)",
        value: input.facet_stats
    })) && input.facet_stats.map((elem: any, _index35: number) => "string" === typeof elem || _report(_exceptionable, {
        path: _path + ".facet_stats[" + _index35 + "]",
        expected: "string",
        value: elem
    })).every((flag: boolean) => flag) || _report(_exceptionable, {
        path: _path + ".facet_stats",
        expected: "(ReadonlyArray<string> | boolean | null | number | string | undefined)",
        value: input.facet_stats
    }), null === input.facet_query || undefined === input.facet_query || "string" === typeof input.facet_query || "number" === typeof input.facet_query || "boolean" === typeof input.facet_query || (Array.isArray(input.facet_query) || _report(_exceptionable, {
        path: _path + ".facet_query",
        expected: "(ReadonlyArray<string> | boolean | null | number | string | undefined)",
        value: input.facet_query
    })) && input.facet_query.map((elem: any, _index36: number) => "string" === typeof elem || _report(_exceptionable, {
        path: _path + ".facet_query[" + _index36 + "]",
        expected: "string",
        value: elem
    })).every((flag: boolean) => flag) || _report(_exceptionable, {
        path: _path + ".facet_query",
        expected: "(ReadonlyArray<string> | boolean | null | number | string | undefined)",
        value: input.facet_query
    }), null === input.distinct || undefined === input.distinct || "string" === typeof input.distinct || "number" === typeof input.distinct || "boolean" === typeof input.distinct || (Array.isArray(input.distinct) || _report(_exceptionable, {
        path: _path + ".distinct",
        expected: "(ReadonlyArray<string> | boolean | null | number | string | undefined)",
        value: input.distinct
    })) && input.distinct.map((elem: any, _index37: number) => "string" === typeof elem || _report(_exceptionable, {
        path: _path + ".distinct[" + _index37 + "]",
        expected: "string",
        value: elem
    })).every((flag: boolean) => flag) || _report(_exceptionable, {
        path: _path + ".distinct",
        expected: "(ReadonlyArray<string> | boolean | null | number | string | undefined)",
        value: input.distinct
    }), null === input.limit || undefined === input.limit || "string" === typeof input.limit || "number" === typeof input.limit || "boolean" === typeof input.limit || (Array.isArray(input.limit) || _report(_exceptionable, {
        path: _path + ".limit",
        expected: "(ReadonlyArray<string> | boolean | null | number | string | undefined)",
        value: input.limit
    })) && input.limit.map((elem: any, _index38: number) => "string" === typeof elem || _report(_exceptionable, {
        path: _path + ".limit[" + _index38 + "]",
        expected: "string",
        value: elem
    })).every((flag: boolean) => flag) || _report(_exceptionable, {
        path: _path + ".limit",
        expected: "(ReadonlyArray<string> | boolean | null | number | string | undefined)",
        value: input.limit
    }), null === input.offset || undefined === input.offset || "string" === typeof input.offset || "number" === typeof input.offset || "boolean" === typeof input.offset || (Array.isArray(input.offset) || _report(_exceptionable, {
        path: _path + ".offset",
        expected: "(ReadonlyArray<string> | boolean | null | number | string | undefined)",
        value: input.offset
    })) && input.offset.map((elem: any, _index39: number) => "string" === typeof elem || _report(_exceptionable, {
        path: _path + ".offset[" + _index39 + "]",
        expected: "string",
        value: elem
    })).every((flag: boolean) => flag) || _report(_exceptionable, {
        path: _path + ".offset",
        expected: "(ReadonlyArray<string> | boolean | null | number | string | undefined)",
        value: input.offset
    }), null === input.prefix || undefined === input.prefix || "string" === typeof input.prefix || "number" === typeof input.prefix || "boolean" === typeof input.prefix || (Array.isArray(input.prefix) || _report(_exceptionable, {
        path: _path + ".prefix",
        expected: "(ReadonlyArray<string> | boolean | null | number | string | undefined)",
        value: input.prefix
    })) && input.prefix.map((elem: any, _index40: number) => "string" === typeof elem || _report(_exceptionable, {
        path: _path + ".prefix[" + _index40 + "]",
        expected: "string",
        value: elem
    })).every((flag: boolean) => flag) || _report(_exceptionable, {
        path: _path + ".prefix",
        expected: "(ReadonlyArray<string> | boolean | null | number | string | undefined)",
        value: input.prefix
    }), null === input.typo_tolerance || undefined === input.typo_tolerance || "string" === typeof input.typo_tolerance || "number" === typeof input.typo_tolerance || "boolean" === typeof input.typo_tolerance || (Array.isArray(input.typo_tolerance) || _report(_exceptionable, {
        path: _path + ".typo_tolerance",
        expected: "(ReadonlyArray<string> | boolean | null | number | string | undefined)",
        value: input.typo_tolerance
    })) && input.typo_tolerance.map((elem: any, _index41: number) => "string" === typeof elem || _report(_exceptionable, {
        path: _path + ".typo_tolerance[" + _index41 + "]",
        expected: "string",
        value: elem
    })).every((flag: boolean) => flag) || _report(_exceptionable, {
        path: _path + ".typo_tolerance",
        expected: "(ReadonlyArray<string> | boolean | null | number | string | undefined)",
        value: input.typo_tolerance
    }), null === input.match_mode || undefined === input.match_mode || "string" === typeof input.match_mode || "number" === typeof input.match_mode || "boolean" === typeof input.match_mode || (Array.isArray(input.match_mode) || _report(_exceptionable, {
        path: _path + ".match_mode",
        expected: "(ReadonlyArray<string> | boolean | null | number | string | undefined)",
        value: input.match_mode
    })) && input.match_mode.map((elem: any, _index42: number) => "string" === typeof elem || _report(_exceptionable, {
        path: _path + ".match_mode[" + _index42 + "]",
        expected: "string",
        value: elem
    })).every((flag: boolean) => flag) || _report(_exceptionable, {
        path: _path + ".match_mode",
        expected: "(ReadonlyArray<string> | boolean | null | number | string | undefined)",
        value: input.match_mode
    }), null === input.typo_threshold || undefined === input.typo_threshold || "string" === typeof input.typo_threshold || "number" === typeof input.typo_threshold || "boolean" === typeof input.typo_threshold || (Array.isArray(input.typo_threshold) || _report(_exceptionable, {
        path: _path + ".typo_threshold",
        expected: "(ReadonlyArray<string> | boolean | null | number | string | undefined)",
        value: input.typo_threshold
    })) && input.typo_threshold.map((elem: any, _index43: number) => "string" === typeof elem || _report(_exceptionable, {
        path: _path + ".typo_threshold[" + _index43 + "]",
        expected: "string",
        value: elem
    })).every((flag: boolean) => flag) || _report(_exceptionable, {
        path: _path + ".typo_threshold",
        expected: "(ReadonlyArray<string> | boolean | null | number | string | undefined)",
        value: input.typo_threshold
    }), null === input.ranking || undefined === input.ranking || "string" === typeof input.ranking || "number" === typeof input.ranking || "boolean" === typeof input.ranking || (Array.isArray(input.ranking) || _report(_exceptionable, {
        path: _path + ".ranking",
        expected: "(ReadonlyArray<string> | boolean | null | number | string | undefined)",
        value: input.ranking
    })) && input.ranking.map((elem: any, _index44: number) => "string" === typeof elem || _report(_exceptionable, {
        path: _path + ".ranking[" + _index44 + "]",
        expected: "string",
        value: elem
    })).every((flag: boolean) => flag) || _report(_exceptionable, {
        path: _path + ".ranking",
        expected: "(ReadonlyArray<string> | boolean | null | number | string | undefined)",
        value: input.ranking
    }), null === input.highlight || undefined === input.highlight || "string" === typeof input.highlight || "number" === typeof input.highlight || "boolean" === typeof input.highlight || (Array.isArray(input.highlight) || _report(_exceptionable, {
        path: _path + ".highlight",
        expected: "(ReadonlyArray<string> | boolean | null | number | string | undefined)",
        value: input.highlight
    })) && input.highlight.map((elem: any, _index45: number) => "string" === typeof elem || _report(_exceptionable, {
        path: _path + ".highlight[" + _index45 + "]",
        expected: "string",
        value: elem
    })).every((flag: boolean) => flag) || _report(_exceptionable, {
        path: _path + ".highlight",
        expected: "(ReadonlyArray<string> | boolean | null | number | string | undefined)",
        value: input.highlight
    }), null === input.highlight_open || undefined === input.highlight_open || "string" === typeof input.highlight_open || "number" === typeof input.highlight_open || "boolean" === typeof input.highlight_open || (Array.isArray(input.highlight_open) || _report(_exceptionable, {
        path: _path + ".highlight_open",
        expected: "(ReadonlyArray<string> | boolean | null | number | string | undefined)",
        value: input.highlight_open
    })) && input.highlight_open.map((elem: any, _index46: number) => "string" === typeof elem || _report(_exceptionable, {
        path: _path + ".highlight_open[" + _index46 + "]",
        expected: "string",
        value: elem
    })).every((flag: boolean) => flag) || _report(_exceptionable, {
        path: _path + ".highlight_open",
        expected: "(ReadonlyArray<string> | boolean | null | number | string | undefined)",
        value: input.highlight_open
    }), null === input.highlight_close || undefined === input.highlight_close || "string" === typeof input.highlight_close || "number" === typeof input.highlight_close || "boolean" === typeof input.highlight_close || (Array.isArray(input.highlight_close) || _report(_exceptionable, {
        path: _path + ".highlight_close",
        expected: "(ReadonlyArray<string> | boolean | null | number | string | undefined)",
        value: input.highlight_close
    })) && input.highlight_close.map((elem: any, _index47: number) => "string" === typeof elem || _report(_exceptionable, {
        path: _path + ".highlight_close[" + _index47 + "]",
        expected: "string",
        value: elem
    })).every((flag: boolean) => flag) || _report(_exceptionable, {
        path: _path + ".highlight_close",
        expected: "(ReadonlyArray<string> | boolean | null | number | string | undefined)",
        value: input.highlight_close
    }), null === input.snippet_tokens || undefined === input.snippet_tokens || "string" === typeof input.snippet_tokens || "number" === typeof input.snippet_tokens || "boolean" === typeof input.snippet_tokens || (Array.isArray(input.snippet_tokens) || _report(_exceptionable, {
        path: _path + ".snippet_tokens",
        expected: "(ReadonlyArray<string> | boolean | null | number | string | undefined)",
        value: input.snippet_tokens
    })) && input.snippet_tokens.map((elem: any, _index48: number) => "string" === typeof elem || _report(_exceptionable, {
        path: _path + ".snippet_tokens[" + _index48 + "]",
        expected: "string",
        value: elem
    })).every((flag: boolean) => flag) || _report(_exceptionable, {
        path: _path + ".snippet_tokens",
        expected: "(ReadonlyArray<string> | boolean | null | number | string | undefined)",
        value: input.snippet_tokens
    }), null === input.explain || undefined === input.explain || "string" === typeof input.explain || "number" === typeof input.explain || "boolean" === typeof input.explain || (Array.isArray(input.explain) || _report(_exceptionable, {
        path: _path + ".explain",
        expected: "(ReadonlyArray<string> | boolean | null | number | string | undefined)",
        value: input.explain
    })) && input.explain.map((elem: any, _index49: number) => "string" === typeof elem || _report(_exceptionable, {
        path: _path + ".explain[" + _index49 + "]",
        expected: "string",
        value: elem
    })).every((flag: boolean) => flag) || _report(_exceptionable, {
        path: _path + ".explain",
        expected: "(ReadonlyArray<string> | boolean | null | number | string | undefined)",
        value: input.explain
    }), null === input.explain_id || undefined === input.explain_id || "string" === typeof input.explain_id || "number" === typeof input.explain_id || "boolean" === typeof input.explain_id || (Array.isArray(input.explain_id) || _report(_exceptionable, {
        path: _path + ".explain_id",
        expected: "(ReadonlyArray<string> | boolean | null | number | string | undefined)",
        value: input.explain_id
    })) && input.explain_id.map((elem: any, _index50: number) => "string" === typeof elem || _report(_exceptionable, {
        path: _path + ".explain_id[" + _index50 + "]",
        expected: "string",
        value: elem
    })).every((flag: boolean) => flag) || _report(_exceptionable, {
        path: _path + ".explain_id",
        expected: "(ReadonlyArray<string> | boolean | null | number | string | undefined)",
        value: input.explain_id
    }), null === input.include_fields || undefined === input.include_fields || "string" === typeof input.include_fields || "number" === typeof input.include_fields || "boolean" === typeof input.include_fields || (Array.isArray(input.include_fields) || _report(_exceptionable, {
        path: _path + ".include_fields",
        expected: "(ReadonlyArray<string> | boolean | null | number | string | undefined)",
        value: input.include_fields
    })) && input.include_fields.map((elem: any, _index51: number) => "string" === typeof elem || _report(_exceptionable, {
        path: _path + ".include_fields[" + _index51 + "]",
        expected: "string",
        value: elem
    })).every((flag: boolean) => flag) || _report(_exceptionable, {
        path: _path + ".include_fields",
        expected: "(ReadonlyArray<string> | boolean | null | number | string | undefined)",
        value: input.include_fields
    }), null === input.exclude_fields || undefined === input.exclude_fields || "string" === typeof input.exclude_fields || "number" === typeof input.exclude_fields || "boolean" === typeof input.exclude_fields || (Array.isArray(input.exclude_fields) || _report(_exceptionable, {
        path: _path + ".exclude_fields",
        expected: "(ReadonlyArray<string> | boolean | null | number | string | undefined)",
        value: input.exclude_fields
    })) && input.exclude_fields.map((elem: any, _index52: number) => "string" === typeof elem || _report(_exceptionable, {
        path: _path + ".exclude_fields[" + _index52 + "]",
        expected: "string",
        value: elem
    })).every((flag: boolean) => flag) || _report(_exceptionable, {
        path: _path + ".exclude_fields",
        expected: "(ReadonlyArray<string> | boolean | null | number | string | undefined)",
        value: input.exclude_fields
    }), 0 === Object.keys(input).length || (false === _exceptionable || Object.keys(input).map((key: any) => {
        if (["q", "query_by", "filter", "sort", "facet", "facet_limit", "facet_sort", "facet_stats", "facet_query", "distinct", "limit", "offset", "prefix", "typo_tolerance", "match_mode", "typo_threshold", "ranking", "highlight", "highlight_open", "highlight_close", "snippet_tokens", "explain", "explain_id", "include_fields", "exclude_fields"].some((prop: any) => key === prop))
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
    }).every((flag: boolean) => flag))].every((flag: boolean) => flag); const __is = (input: any, _exceptionable: boolean = true): input is KeyClaims => "object" === typeof input && null !== input && false === Array.isArray(input) && _io0(input, true); let errors: any; let _report: any; return __typia_transform__createStandardSchema._createStandardSchema((input: any): import("typia").IValidation<KeyClaims> => {
    if (false === __is(input)) {
        errors = [];
        _report = (__typia_transform__validateReport._validateReport as any)(errors);
        ((input: any, _path: string, _exceptionable: boolean = true) => ("object" === typeof input && null !== input && false === Array.isArray(input) || _report(true, {
            path: _path + "",
            expected: "KeyClaims",
            value: input
        })) && _vo0(input, _path + "", true) || _report(true, {
            path: _path + "",
            expected: "KeyClaims",
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
export const assertAlias = (() => { const _io0 = (input: any, _exceptionable: boolean = true): boolean => "string" === typeof input.collection && (null === input.name || undefined === input.name || "string" === typeof input.name) && (1 === Object.keys(input).length || Object.keys(input).every((key: any) => {
    if (["collection", "name"].some((prop: any) => key === prop))
        return true;
    const value = input[key];
    if (undefined === value)
        return true;
    return false;
})); const _ao0 = (input: any, _path: string, _exceptionable: boolean = true): boolean => ("string" === typeof input.collection || __typia_transform__assertGuard._assertGuard(_exceptionable, {
    method: "typia.createAssertEquals",
    path: _path + ".collection",
    expected: "string",
    value: input.collection
}, _errorFactory)) && (null === input.name || undefined === input.name || "string" === typeof input.name || __typia_transform__assertGuard._assertGuard(_exceptionable, {
    method: "typia.createAssertEquals",
    path: _path + ".name",
    expected: "(null | string | undefined)",
    value: input.name
}, _errorFactory)) && (1 === Object.keys(input).length || (false === _exceptionable || Object.keys(input).every((key: any) => {
    if (["collection", "name"].some((prop: any) => key === prop))
        return true;
    const value = input[key];
    if (undefined === value)
        return true;
    return __typia_transform__assertGuard._assertGuard(_exceptionable, {
        method: "typia.createAssertEquals",
        path: _path + __typia_transform__accessExpressionAsString._accessExpressionAsString(key),
        expected: "undefined",
        value: value
    }, _errorFactory);
}))); const __is = (input: any, _exceptionable: boolean = true): input is AliasBody => "object" === typeof input && null !== input && _io0(input, true); let _errorFactory: any; return (input: any, errorFactory?: (p: import("typia").TypeGuardError.IProps) => Error): AliasBody => {
    if (false === __is(input)) {
        _errorFactory = errorFactory;
        ((input: any, _path: string, _exceptionable: boolean = true) => ("object" === typeof input && null !== input || __typia_transform__assertGuard._assertGuard(true, {
            method: "typia.createAssertEquals",
            path: _path + "",
            expected: "AliasBody",
            value: input
        }, _errorFactory)) && _ao0(input, _path + "", true) || __typia_transform__assertGuard._assertGuard(true, {
            method: "typia.createAssertEquals",
            path: _path + "",
            expected: "AliasBody",
            value: input
        }, _errorFactory))(input, "$input", true);
    }
    return input;
}; })();
export const assertSynonym = (() => { const _io0 = (input: any, _exceptionable: boolean = true): boolean => (null === input.root || undefined === input.root || "string" === typeof input.root) && (Array.isArray(input.synonyms) && input.synonyms.every((elem: any, _index1: number) => "string" === typeof elem)) && (null === input.id || undefined === input.id || "string" === typeof input.id) && (1 === Object.keys(input).length || Object.keys(input).every((key: any) => {
    if (["root", "synonyms", "id"].some((prop: any) => key === prop))
        return true;
    const value = input[key];
    if (undefined === value)
        return true;
    return false;
})); const _ao0 = (input: any, _path: string, _exceptionable: boolean = true): boolean => (null === input.root || undefined === input.root || "string" === typeof input.root || __typia_transform__assertGuard._assertGuard(_exceptionable, {
    method: "typia.createAssertEquals",
    path: _path + ".root",
    expected: "((string & JsonSchemaPlugin<__type>) | null | undefined)",
    value: input.root
}, _errorFactory)) && ((Array.isArray(input.synonyms) || __typia_transform__assertGuard._assertGuard(_exceptionable, {
    method: "typia.createAssertEquals",
    path: _path + ".synonyms",
    expected: "(ReadonlyArray<SynonymText> & JsonSchemaPlugin<__type>)",
    value: input.synonyms
}, _errorFactory)) && input.synonyms.every((elem: any, _index2: number) => "string" === typeof elem || __typia_transform__assertGuard._assertGuard(_exceptionable, {
    method: "typia.createAssertEquals",
    path: _path + ".synonyms[" + _index2 + "]",
    expected: "(string & JsonSchemaPlugin<__type>)",
    value: elem
}, _errorFactory)) || __typia_transform__assertGuard._assertGuard(_exceptionable, {
    method: "typia.createAssertEquals",
    path: _path + ".synonyms",
    expected: "(ReadonlyArray<SynonymText> & JsonSchemaPlugin<__type>)",
    value: input.synonyms
}, _errorFactory)) && (null === input.id || undefined === input.id || "string" === typeof input.id || __typia_transform__assertGuard._assertGuard(_exceptionable, {
    method: "typia.createAssertEquals",
    path: _path + ".id",
    expected: "(null | string | undefined)",
    value: input.id
}, _errorFactory)) && (1 === Object.keys(input).length || (false === _exceptionable || Object.keys(input).every((key: any) => {
    if (["root", "synonyms", "id"].some((prop: any) => key === prop))
        return true;
    const value = input[key];
    if (undefined === value)
        return true;
    return __typia_transform__assertGuard._assertGuard(_exceptionable, {
        method: "typia.createAssertEquals",
        path: _path + __typia_transform__accessExpressionAsString._accessExpressionAsString(key),
        expected: "undefined",
        value: value
    }, _errorFactory);
}))); const __is = (input: any, _exceptionable: boolean = true): input is SynonymBody => "object" === typeof input && null !== input && _io0(input, true); let _errorFactory: any; return (input: any, errorFactory?: (p: import("typia").TypeGuardError.IProps) => Error): SynonymBody => {
    if (false === __is(input)) {
        _errorFactory = errorFactory;
        ((input: any, _path: string, _exceptionable: boolean = true) => ("object" === typeof input && null !== input || __typia_transform__assertGuard._assertGuard(true, {
            method: "typia.createAssertEquals",
            path: _path + "",
            expected: "SynonymBody",
            value: input
        }, _errorFactory)) && _ao0(input, _path + "", true) || __typia_transform__assertGuard._assertGuard(true, {
            method: "typia.createAssertEquals",
            path: _path + "",
            expected: "SynonymBody",
            value: input
        }, _errorFactory))(input, "$input", true);
    }
    return input;
}; })();
export const assertStopWords = (() => { const _io0 = (input: any, _exceptionable: boolean = true): boolean => (null === input.language || undefined === input.language || "string" === typeof input.language) && (null === input.words || undefined === input.words || Array.isArray(input.words) && input.words.every((elem: any, _index1: number) => "string" === typeof elem)) && (0 === Object.keys(input).length || Object.keys(input).every((key: any) => {
    if (["language", "words"].some((prop: any) => key === prop))
        return true;
    const value = input[key];
    if (undefined === value)
        return true;
    return false;
})); const _ao0 = (input: any, _path: string, _exceptionable: boolean = true): boolean => (null === input.language || undefined === input.language || "string" === typeof input.language || __typia_transform__assertGuard._assertGuard(_exceptionable, {
    method: "typia.createAssertEquals",
    path: _path + ".language",
    expected: "(null | string | undefined)",
    value: input.language
}, _errorFactory)) && (null === input.words || undefined === input.words || (Array.isArray(input.words) || __typia_transform__assertGuard._assertGuard(_exceptionable, {
    method: "typia.createAssertEquals",
    path: _path + ".words",
    expected: "((ReadonlyArray<string> & JsonSchemaPlugin<__type>) | null | undefined)",
    value: input.words
}, _errorFactory)) && input.words.every((elem: any, _index2: number) => "string" === typeof elem || __typia_transform__assertGuard._assertGuard(_exceptionable, {
    method: "typia.createAssertEquals",
    path: _path + ".words[" + _index2 + "]",
    expected: "string",
    value: elem
}, _errorFactory)) || __typia_transform__assertGuard._assertGuard(_exceptionable, {
    method: "typia.createAssertEquals",
    path: _path + ".words",
    expected: "((ReadonlyArray<string> & JsonSchemaPlugin<__type>) | null | undefined)",
    value: input.words
}, _errorFactory)) && (0 === Object.keys(input).length || (false === _exceptionable || Object.keys(input).every((key: any) => {
    if (["language", "words"].some((prop: any) => key === prop))
        return true;
    const value = input[key];
    if (undefined === value)
        return true;
    return __typia_transform__assertGuard._assertGuard(_exceptionable, {
        method: "typia.createAssertEquals",
        path: _path + __typia_transform__accessExpressionAsString._accessExpressionAsString(key),
        expected: "undefined",
        value: value
    }, _errorFactory);
}))); const __is = (input: any, _exceptionable: boolean = true): input is StopWordsBody => "object" === typeof input && null !== input && false === Array.isArray(input) && _io0(input, true); let _errorFactory: any; return (input: any, errorFactory?: (p: import("typia").TypeGuardError.IProps) => Error): StopWordsBody => {
    if (false === __is(input)) {
        _errorFactory = errorFactory;
        ((input: any, _path: string, _exceptionable: boolean = true) => ("object" === typeof input && null !== input && false === Array.isArray(input) || __typia_transform__assertGuard._assertGuard(true, {
            method: "typia.createAssertEquals",
            path: _path + "",
            expected: "StopWordsBody",
            value: input
        }, _errorFactory)) && _ao0(input, _path + "", true) || __typia_transform__assertGuard._assertGuard(true, {
            method: "typia.createAssertEquals",
            path: _path + "",
            expected: "StopWordsBody",
            value: input
        }, _errorFactory))(input, "$input", true);
    }
    return input;
}; })();
