/**
 * Generated from ../templates by `npm run build:validators`. Never edited by hand: change the types and run that again.
 */
import * as __typia_transform__isTypeUint32 from "typia/lib/internal/_isTypeUint32";
import * as __typia_transform__isTypeUint64 from "typia/lib/internal/_isTypeUint64";
import * as __typia_transform__validateReport from "typia/lib/internal/_validateReport";
import * as __typia_transform__createStandardSchema from "typia/lib/internal/_createStandardSchema";
import type { CreatePayload, DeletePayload, DocumentsPayload, DropPayload } from "../types/records.js";
export const validateCreate = (() => { const __is = (input: any): input is CreatePayload => Array.isArray(input) && (input.length === 3 && ("number" === typeof input[0] && __typia_transform__isTypeUint32._isTypeUint32(input[0])) && ("number" === typeof input[1] && (__typia_transform__isTypeUint64._isTypeUint64(input[1]) && input[1] <= 9007199254740991)) && true); let errors: any; let _report: any; return __typia_transform__createStandardSchema._createStandardSchema((input: any): import("typia").IValidation<CreatePayload> => {
    if (false === __is(input)) {
        errors = [];
        _report = (__typia_transform__validateReport._validateReport as any)(errors);
        ((input: any, _path: string, _exceptionable: boolean = true) => (Array.isArray(input) || _report(true, {
            path: _path + "",
            expected: "CreatePayload",
            value: input
        })) && ((input.length === 3 || _report(true, {
            path: _path + "",
            expected: "[(number & Type<\"uint32\">), (number & Type<\"uint64\"> & Maximum<9007199254740991>), any]",
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
            "number" === typeof input[1] && (__typia_transform__isTypeUint64._isTypeUint64(input[1]) || _report(_exceptionable, {
                path: _path + "[1]",
                expected: "number & Type<\"uint64\">",
                value: input[1]
            })) && (input[1] <= 9007199254740991 || _report(_exceptionable, {
                path: _path + "[1]",
                expected: "number & Maximum<9007199254740991>",
                value: input[1]
            })) || _report(true, {
                path: _path + "[1]",
                expected: "(number & Type<\"uint64\"> & Maximum<9007199254740991>)",
                value: input[1]
            }),
            true
        ].every((flag: boolean) => flag)) || _report(true, {
            path: _path + "",
            expected: "CreatePayload",
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
export const validateDrop = (() => { const __is = (input: any): input is DropPayload => Array.isArray(input) && (input.length === 1 && ("number" === typeof input[0] && __typia_transform__isTypeUint32._isTypeUint32(input[0]))); let errors: any; let _report: any; return __typia_transform__createStandardSchema._createStandardSchema((input: any): import("typia").IValidation<DropPayload> => {
    if (false === __is(input)) {
        errors = [];
        _report = (__typia_transform__validateReport._validateReport as any)(errors);
        ((input: any, _path: string, _exceptionable: boolean = true) => (Array.isArray(input) || _report(true, {
            path: _path + "",
            expected: "DropPayload",
            value: input
        })) && ((input.length === 1 || _report(true, {
            path: _path + "",
            expected: "[(number & Type<\"uint32\">)]",
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
            })
        ].every((flag: boolean) => flag)) || _report(true, {
            path: _path + "",
            expected: "DropPayload",
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
export const validateDocuments = (() => { const __is = (input: any): input is DocumentsPayload => Array.isArray(input) && (input.length === 3 && ("number" === typeof input[0] && __typia_transform__isTypeUint32._isTypeUint32(input[0])) && ("json" === input[1] || "ndjson" === input[1]) && input[2] instanceof Uint8Array); let errors: any; let _report: any; return __typia_transform__createStandardSchema._createStandardSchema((input: any): import("typia").IValidation<DocumentsPayload> => {
    if (false === __is(input)) {
        errors = [];
        _report = (__typia_transform__validateReport._validateReport as any)(errors);
        ((input: any, _path: string, _exceptionable: boolean = true) => (Array.isArray(input) || _report(true, {
            path: _path + "",
            expected: "DocumentsPayload",
            value: input
        })) && ((input.length === 3 || _report(true, {
            path: _path + "",
            expected: "[(number & Type<\"uint32\">), (\"json\" | \"ndjson\"), Uint8Array]",
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
            "json" === input[1] || "ndjson" === input[1] || _report(true, {
                path: _path + "[1]",
                expected: "(\"json\" | \"ndjson\")",
                value: input[1]
            }),
            input[2] instanceof Uint8Array || _report(true, {
                path: _path + "[2]",
                expected: "Uint8Array",
                value: input[2]
            })
        ].every((flag: boolean) => flag)) || _report(true, {
            path: _path + "",
            expected: "DocumentsPayload",
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
export const validateDelete = (() => { const __is = (input: any): input is DeletePayload => Array.isArray(input) && (input.length === 2 && ("number" === typeof input[0] && __typia_transform__isTypeUint32._isTypeUint32(input[0])) && input[1] instanceof Uint8Array); let errors: any; let _report: any; return __typia_transform__createStandardSchema._createStandardSchema((input: any): import("typia").IValidation<DeletePayload> => {
    if (false === __is(input)) {
        errors = [];
        _report = (__typia_transform__validateReport._validateReport as any)(errors);
        ((input: any, _path: string, _exceptionable: boolean = true) => (Array.isArray(input) || _report(true, {
            path: _path + "",
            expected: "DeletePayload",
            value: input
        })) && ((input.length === 2 || _report(true, {
            path: _path + "",
            expected: "[(number & Type<\"uint32\">), Uint8Array]",
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
            input[1] instanceof Uint8Array || _report(true, {
                path: _path + "[1]",
                expected: "Uint8Array",
                value: input[1]
            })
        ].every((flag: boolean) => flag)) || _report(true, {
            path: _path + "",
            expected: "DeletePayload",
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
