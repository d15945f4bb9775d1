/**
 * Generated from ../templates by `npm run build:validators`. Never edited by hand: change the types and run that again.
 */
import * as __typia_transform__isTypeUint64 from "typia/lib/internal/_isTypeUint64";
import * as __typia_transform__validateReport from "typia/lib/internal/_validateReport";
import * as __typia_transform__createStandardSchema from "typia/lib/internal/_createStandardSchema";
import * as __typia_transform__isTypeUint32 from "typia/lib/internal/_isTypeUint32";
import type { AliasRequest, ChangeEndRequest, ChangeRequest, CreateRequest, DeleteMatchingRequest, DeleteRequest, DropRequest, IndexRequest, } from "../types/requests.js";
export const validateCreateRequest = (() => { const __is = (input: any): input is CreateRequest => Array.isArray(input) && (input.length === 2 && ("number" === typeof input[0] && (__typia_transform__isTypeUint64._isTypeUint64(input[0]) && input[0] <= 9007199254740991)) && true); let errors: any; let _report: any; return __typia_transform__createStandardSchema._createStandardSchema((input: any): import("typia").IValidation<CreateRequest> => {
    if (false === __is(input)) {
        errors = [];
        _report = (__typia_transform__validateReport._validateReport as any)(errors);
        ((input: any, _path: string, _exceptionable: boolean = true) => (Array.isArray(input) || _report(true, {
            path: _path + "",
            expected: "CreateRequest",
            value: input
        })) && ((input.length === 2 || _report(true, {
            path: _path + "",
            expected: "[(number & Type<\"uint64\"> & Maximum<9007199254740991>), any]",
            value: input
        })) && [
            "number" === typeof input[0] && (__typia_transform__isTypeUint64._isTypeUint64(input[0]) || _report(_exceptionable, {
                path: _path + "[0]",
                expected: "number & Type<\"uint64\">",
                value: input[0]
            })) && (input[0] <= 9007199254740991 || _report(_exceptionable, {
                path: _path + "[0]",
                expected: "number & Maximum<9007199254740991>",
                value: input[0]
            })) || _report(true, {
                path: _path + "[0]",
                expected: "(number & Type<\"uint64\"> & Maximum<9007199254740991>)",
                value: input[0]
            }),
            true
        ].every((flag: boolean) => flag)) || _report(true, {
            path: _path + "",
            expected: "CreateRequest",
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
export const validateDropRequest = (() => { const __is = (input: any): input is DropRequest => Array.isArray(input) && (input.length === 2 && ("number" === typeof input[0] && __typia_transform__isTypeUint32._isTypeUint32(input[0])) && "boolean" === typeof input[1]); let errors: any; let _report: any; return __typia_transform__createStandardSchema._createStandardSchema((input: any): import("typia").IValidation<DropRequest> => {
    if (false === __is(input)) {
        errors = [];
        _report = (__typia_transform__validateReport._validateReport as any)(errors);
        ((input: any, _path: string, _exceptionable: boolean = true) => (Array.isArray(input) || _report(true, {
            path: _path + "",
            expected: "DropRequest",
            value: input
        })) && ((input.length === 2 || _report(true, {
            path: _path + "",
            expected: "[(number & Type<\"uint32\">), boolean]",
            value: input
        })) && [
            "number" === typeof input[0] && (__typia_transform__isTypeUint32._isTypeUint32(input[0]) || _report(_exceptionable, {
                path: _path + "[0]",
                expected: "number & Type<\"uint32\">",
                value: input[0]
            })) || _report(true, {
                path: _path + "[0]",
                expected: "(number & Type<\"uint32\">)",
                value: input[0]
            }),
            "boolean" === typeof input[1] || _report(true, {
                path: _path + "[1]",
                expected: "boolean",
                value: input[1]
            })
        ].every((flag: boolean) => flag)) || _report(true, {
            path: _path + "",
            expected: "DropRequest",
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
export const validateAliasRequest = (() => { const __is = (input: any): input is AliasRequest => Array.isArray(input) && (input.length === 2 && "string" === typeof input[0] && (null === input[1] || "number" === typeof input[1] && __typia_transform__isTypeUint32._isTypeUint32(input[1]))); let errors: any; let _report: any; return __typia_transform__createStandardSchema._createStandardSchema((input: any): import("typia").IValidation<AliasRequest> => {
    if (false === __is(input)) {
        errors = [];
        _report = (__typia_transform__validateReport._validateReport as any)(errors);
        ((input: any, _path: string, _exceptionable: boolean = true) => (Array.isArray(input) || _report(true, {
            path: _path + "",
            expected: "AliasRequest",
            value: input
        })) && ((input.length === 2 || _report(true, {
            path: _path + "",
            expected: "[string, ((number & Type<\"uint32\">) | null)]",
            value: input
        })) && [
            "string" === typeof input[0] || _report(true, {
                path: _path + "[0]",
                expected: "string",
                value: input[0]
            }),
            null === input[1] || "number" === typeof input[1] && (__typia_transform__isTypeUint32._isTypeUint32(input[1]) || _report(_exceptionable, {
                path: _path + "[1]",
                expected: "number & Type<\"uint32\">",
                value: input[1]
            })) || _report(true, {
                path: _path + "[1]",
                expected: "((number & Type<\"uint32\">) | null)",
                value: input[1]
            })
        ].every((flag: boolean) => flag)) || _report(true, {
            path: _path + "",
            expected: "AliasRequest",
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
export const validateIndexRequest = (() => { const __is = (input: any): input is IndexRequest => Array.isArray(input) && (input.length === 4 && ("number" === typeof input[0] && __typia_transform__isTypeUint32._isTypeUint32(input[0])) && ("json" === input[1] || "ndjson" === input[1] || "msgpack" === input[1]) && ("upsert" === input[2] || "create" === input[2] || "update" === input[2] || "patch" === input[2]) && (null === input[3] || "string" === typeof input[3])); let errors: any; let _report: any; return __typia_transform__createStandardSchema._createStandardSchema((input: any): import("typia").IValidation<IndexRequest> => {
    if (false === __is(input)) {
        errors = [];
        _report = (__typia_transform__validateReport._validateReport as any)(errors);
        ((input: any, _path: string, _exceptionable: boolean = true) => (Array.isArray(input) || _report(true, {
            path: _path + "",
            expected: "IndexRequest",
            value: input
        })) && ((input.length === 4 || _report(true, {
            path: _path + "",
            expected: "[(number & Type<\"uint32\">), (\"json\" | \"msgpack\" | \"ndjson\"), (\"create\" | \"patch\" | \"update\" | \"upsert\"), (null | string)]",
            value: input
        })) && [
            "number" === typeof input[0] && (__typia_transform__isTypeUint32._isTypeUint32(input[0]) || _report(_exceptionable, {
                path: _path + "[0]",
                expected: "number & Type<\"uint32\">",
                value: input[0]
            })) || _report(true, {
                path: _path + "[0]",
                expected: "(number & Type<\"uint32\">)",
                value: input[0]
            }),
            "json" === input[1] || "ndjson" === input[1] || "msgpack" === input[1] || _report(true, {
                path: _path + "[1]",
                expected: "(\"json\" | \"msgpack\" | \"ndjson\")",
                value: input[1]
            }),
            "upsert" === input[2] || "create" === input[2] || "update" === input[2] || "patch" === input[2] || _report(true, {
                path: _path + "[2]",
                expected: "(\"create\" | \"patch\" | \"update\" | \"upsert\")",
                value: input[2]
            }),
            null === input[3] || "string" === typeof input[3] || _report(true, {
                path: _path + "[3]",
                expected: "(null | string)",
                value: input[3]
            })
        ].every((flag: boolean) => flag)) || _report(true, {
            path: _path + "",
            expected: "IndexRequest",
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
export const validateDeleteRequest = (() => { const __is = (input: any): input is DeleteRequest => Array.isArray(input) && (input.length === 2 && ("number" === typeof input[0] && __typia_transform__isTypeUint32._isTypeUint32(input[0])) && "string" === typeof input[1]); let errors: any; let _report: any; return __typia_transform__createStandardSchema._createStandardSchema((input: any): import("typia").IValidation<DeleteRequest> => {
    if (false === __is(input)) {
        errors = [];
        _report = (__typia_transform__validateReport._validateReport as any)(errors);
        ((input: any, _path: string, _exceptionable: boolean = true) => (Array.isArray(input) || _report(true, {
            path: _path + "",
            expected: "DeleteRequest",
            value: input
        })) && ((input.length === 2 || _report(true, {
            path: _path + "",
            expected: "[(number & Type<\"uint32\">), string]",
            value: input
        })) && [
            "number" === typeof input[0] && (__typia_transform__isTypeUint32._isTypeUint32(input[0]) || _report(_exceptionable, {
                path: _path + "[0]",
                expected: "number & Type<\"uint32\">",
                value: input[0]
            })) || _report(true, {
                path: _path + "[0]",
                expected: "(number & Type<\"uint32\">)",
                value: input[0]
            }),
            "string" === typeof input[1] || _report(true, {
                path: _path + "[1]",
                expected: "string",
                value: input[1]
            })
        ].every((flag: boolean) => flag)) || _report(true, {
            path: _path + "",
            expected: "DeleteRequest",
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
export const validateDeleteMatchingRequest = (() => { const __is = (input: any): input is DeleteMatchingRequest => Array.isArray(input) && (input.length === 2 && ("number" === typeof input[0] && __typia_transform__isTypeUint32._isTypeUint32(input[0])) && "string" === typeof input[1]); let errors: any; let _report: any; return __typia_transform__createStandardSchema._createStandardSchema((input: any): import("typia").IValidation<DeleteMatchingRequest> => {
    if (false === __is(input)) {
        errors = [];
        _report = (__typia_transform__validateReport._validateReport as any)(errors);
        ((input: any, _path: string, _exceptionable: boolean = true) => (Array.isArray(input) || _report(true, {
            path: _path + "",
            expected: "DeleteMatchingRequest",
            value: input
        })) && ((input.length === 2 || _report(true, {
            path: _path + "",
            expected: "[(number & Type<\"uint32\">), string]",
            value: input
        })) && [
            "number" === typeof input[0] && (__typia_transform__isTypeUint32._isTypeUint32(input[0]) || _report(_exceptionable, {
                path: _path + "[0]",
                expected: "number & Type<\"uint32\">",
                value: input[0]
            })) || _report(true, {
                path: _path + "[0]",
                expected: "(number & Type<\"uint32\">)",
                value: input[0]
            }),
            "string" === typeof input[1] || _report(true, {
                path: _path + "[1]",
                expected: "string",
                value: input[1]
            })
        ].every((flag: boolean) => flag)) || _report(true, {
            path: _path + "",
            expected: "DeleteMatchingRequest",
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
export const validateChangeRequest = (() => { const __is = (input: any): input is ChangeRequest => Array.isArray(input) && (input.length === 2 && ("number" === typeof input[0] && __typia_transform__isTypeUint32._isTypeUint32(input[0])) && "string" === typeof input[1]); let errors: any; let _report: any; return __typia_transform__createStandardSchema._createStandardSchema((input: any): import("typia").IValidation<ChangeRequest> => {
    if (false === __is(input)) {
        errors = [];
        _report = (__typia_transform__validateReport._validateReport as any)(errors);
        ((input: any, _path: string, _exceptionable: boolean = true) => (Array.isArray(input) || _report(true, {
            path: _path + "",
            expected: "ChangeRequest",
            value: input
        })) && ((input.length === 2 || _report(true, {
            path: _path + "",
            expected: "[(number & Type<\"uint32\">), string]",
            value: input
        })) && [
            "number" === typeof input[0] && (__typia_transform__isTypeUint32._isTypeUint32(input[0]) || _report(_exceptionable, {
                path: _path + "[0]",
                expected: "number & Type<\"uint32\">",
                value: input[0]
            })) || _report(true, {
                path: _path + "[0]",
                expected: "(number & Type<\"uint32\">)",
                value: input[0]
            }),
            "string" === typeof input[1] || _report(true, {
                path: _path + "[1]",
                expected: "string",
                value: input[1]
            })
        ].every((flag: boolean) => flag)) || _report(true, {
            path: _path + "",
            expected: "ChangeRequest",
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
export const validateChangeEndRequest = (() => { const __is = (input: any): input is ChangeEndRequest => Array.isArray(input) && (input.length === 2 && ("number" === typeof input[0] && __typia_transform__isTypeUint32._isTypeUint32(input[0])) && true); let errors: any; let _report: any; return __typia_transform__createStandardSchema._createStandardSchema((input: any): import("typia").IValidation<ChangeEndRequest> => {
    if (false === __is(input)) {
        errors = [];
        _report = (__typia_transform__validateReport._validateReport as any)(errors);
        ((input: any, _path: string, _exceptionable: boolean = true) => (Array.isArray(input) || _report(true, {
            path: _path + "",
            expected: "ChangeEndRequest",
            value: input
        })) && ((input.length === 2 || _report(true, {
            path: _path + "",
            expected: "[(number & Type<\"uint32\">), any]",
            value: input
        })) && [
            "number" === typeof input[0] && (__typia_transform__isTypeUint32._isTypeUint32(input[0]) || _report(_exceptionable, {
                path: _path + "[0]",
                expected: "number & Type<\"uint32\">",
                value: input[0]
            })) || _report(true, {
                path: _path + "[0]",
                expected: "(number & Type<\"uint32\">)",
                value: input[0]
            }),
            true
        ].every((flag: boolean) => flag)) || _report(true, {
            path: _path + "",
            expected: "ChangeEndRequest",
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
