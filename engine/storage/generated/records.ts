/**
 * Generated from ../templates by `npm run build:validators`. Never edited by hand: change the types and run that again.
 */
import * as __typia_transform__isTypeUint32 from "typia/lib/internal/_isTypeUint32";
import * as __typia_transform__isTypeUint64 from "typia/lib/internal/_isTypeUint64";
import * as __typia_transform__validateReport from "typia/lib/internal/_validateReport";
import * as __typia_transform__createStandardSchema from "typia/lib/internal/_createStandardSchema";
import type { AliasPayload, ChangedPayload, ChangePayload, CreatePayload, DeleteManyPayload, DeletePayload, DocumentsPayload, DropPayload, StopWordsPayload, SynonymPayload, TextRulesPayload, } from "../types/records.js";
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
export const validateDeleteMany = (() => { const __is = (input: any): input is DeleteManyPayload => Array.isArray(input) && (input.length === 2 && ("number" === typeof input[0] && __typia_transform__isTypeUint32._isTypeUint32(input[0])) && input[1] instanceof Uint8Array); let errors: any; let _report: any; return __typia_transform__createStandardSchema._createStandardSchema((input: any): import("typia").IValidation<DeleteManyPayload> => {
    if (false === __is(input)) {
        errors = [];
        _report = (__typia_transform__validateReport._validateReport as any)(errors);
        ((input: any, _path: string, _exceptionable: boolean = true) => (Array.isArray(input) || _report(true, {
            path: _path + "",
            expected: "DeleteManyPayload",
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
            expected: "DeleteManyPayload",
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
export const validateChange = (() => { const __is = (input: any): input is ChangePayload => Array.isArray(input) && (input.length === 2 && ("number" === typeof input[0] && __typia_transform__isTypeUint32._isTypeUint32(input[0])) && true); let errors: any; let _report: any; return __typia_transform__createStandardSchema._createStandardSchema((input: any): import("typia").IValidation<ChangePayload> => {
    if (false === __is(input)) {
        errors = [];
        _report = (__typia_transform__validateReport._validateReport as any)(errors);
        ((input: any, _path: string, _exceptionable: boolean = true) => (Array.isArray(input) || _report(true, {
            path: _path + "",
            expected: "ChangePayload",
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
            expected: "ChangePayload",
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
export const validateChanged = (() => { const __is = (input: any): input is ChangedPayload => Array.isArray(input) && (input.length === 2 && ("number" === typeof input[0] && __typia_transform__isTypeUint32._isTypeUint32(input[0])) && true); let errors: any; let _report: any; return __typia_transform__createStandardSchema._createStandardSchema((input: any): import("typia").IValidation<ChangedPayload> => {
    if (false === __is(input)) {
        errors = [];
        _report = (__typia_transform__validateReport._validateReport as any)(errors);
        ((input: any, _path: string, _exceptionable: boolean = true) => (Array.isArray(input) || _report(true, {
            path: _path + "",
            expected: "ChangedPayload",
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
            expected: "ChangedPayload",
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
export const validateAlias = (() => { const __is = (input: any): input is AliasPayload => Array.isArray(input) && (input.length === 3 && ("number" === typeof input[0] && __typia_transform__isTypeUint32._isTypeUint32(input[0])) && "string" === typeof input[1] && "boolean" === typeof input[2]); let errors: any; let _report: any; return __typia_transform__createStandardSchema._createStandardSchema((input: any): import("typia").IValidation<AliasPayload> => {
    if (false === __is(input)) {
        errors = [];
        _report = (__typia_transform__validateReport._validateReport as any)(errors);
        ((input: any, _path: string, _exceptionable: boolean = true) => (Array.isArray(input) || _report(true, {
            path: _path + "",
            expected: "AliasPayload",
            value: input
        })) && ((input.length === 3 || _report(true, {
            path: _path + "",
            expected: "[(number & Type<\"uint32\">), string, boolean]",
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
            }),
            "boolean" === typeof input[2] || _report(true, {
                path: _path + "[2]",
                expected: "boolean",
                value: input[2]
            })
        ].every((flag: boolean) => flag)) || _report(true, {
            path: _path + "",
            expected: "AliasPayload",
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
export const validateSynonym = (() => { const __is = (input: any): input is SynonymPayload => Array.isArray(input) && (input.length === 4 && ("number" === typeof input[0] && __typia_transform__isTypeUint32._isTypeUint32(input[0])) && "string" === typeof input[1] && (null === input[2] || "string" === typeof input[2]) && (null === input[3] || Array.isArray(input[3]) && input[3].every((elem: any) => "string" === typeof elem))); let errors: any; let _report: any; return __typia_transform__createStandardSchema._createStandardSchema((input: any): import("typia").IValidation<SynonymPayload> => {
    if (false === __is(input)) {
        errors = [];
        _report = (__typia_transform__validateReport._validateReport as any)(errors);
        ((input: any, _path: string, _exceptionable: boolean = true) => (Array.isArray(input) || _report(true, {
            path: _path + "",
            expected: "SynonymPayload",
            value: input
        })) && ((input.length === 4 || _report(true, {
            path: _path + "",
            expected: "[(number & Type<\"uint32\">), string, (null | string), (Array<string> | null)]",
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
            }),
            null === input[2] || "string" === typeof input[2] || _report(true, {
                path: _path + "[2]",
                expected: "(null | string)",
                value: input[2]
            }),
            null === input[3] || (Array.isArray(input[3]) || _report(true, {
                path: _path + "[3]",
                expected: "(Array<string> | null)",
                value: input[3]
            })) && input[3].map((elem: any, _index2: number) => "string" === typeof elem || _report(true, {
                path: _path + "[3][" + _index2 + "]",
                expected: "string",
                value: elem
            })).every((flag: boolean) => flag) || _report(true, {
                path: _path + "[3]",
                expected: "(Array<string> | null)",
                value: input[3]
            })
        ].every((flag: boolean) => flag)) || _report(true, {
            path: _path + "",
            expected: "SynonymPayload",
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
export const validateStopWords = (() => { const __is = (input: any): input is StopWordsPayload => Array.isArray(input) && (input.length === 3 && ("number" === typeof input[0] && __typia_transform__isTypeUint32._isTypeUint32(input[0])) && (null === input[1] || "string" === typeof input[1]) && (null === input[2] || Array.isArray(input[2]) && input[2].every((elem: any) => "string" === typeof elem))); let errors: any; let _report: any; return __typia_transform__createStandardSchema._createStandardSchema((input: any): import("typia").IValidation<StopWordsPayload> => {
    if (false === __is(input)) {
        errors = [];
        _report = (__typia_transform__validateReport._validateReport as any)(errors);
        ((input: any, _path: string, _exceptionable: boolean = true) => (Array.isArray(input) || _report(true, {
            path: _path + "",
            expected: "StopWordsPayload",
            value: input
        })) && ((input.length === 3 || _report(true, {
            path: _path + "",
            expected: "[(number & Type<\"uint32\">), (null | string), (Array<string> | null)]",
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
            null === input[1] || "string" === typeof input[1] || _report(true, {
                path: _path + "[1]",
                expected: "(null | string)",
                value: input[1]
            }),
            null === input[2] || (Array.isArray(input[2]) || _report(true, {
                path: _path + "[2]",
                expected: "(Array<string> | null)",
                value: input[2]
            })) && input[2].map((elem: any, _index2: number) => "string" === typeof elem || _report(true, {
                path: _path + "[2][" + _index2 + "]",
                expected: "string",
                value: elem
            })).every((flag: boolean) => flag) || _report(true, {
                path: _path + "[2]",
                expected: "(Array<string> | null)",
                value: input[2]
            })
        ].every((flag: boolean) => flag)) || _report(true, {
            path: _path + "",
            expected: "StopWordsPayload",
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
export const validateTextRules = (() => { const __is = (input: any): input is TextRulesPayload => Array.isArray(input) && (input.length === 3 && (Array.isArray(input[0]) && input[0].every((elem: any) => Array.isArray(elem) && (elem.length === 3 && "string" === typeof elem[0] && (null === elem[1] || "string" === typeof elem[1]) && (Array.isArray(elem[2]) && elem[2].every((elem: any) => "string" === typeof elem))))) && (null === input[1] || "string" === typeof input[1]) && (null === input[2] || Array.isArray(input[2]) && input[2].every((elem: any) => "string" === typeof elem))); let errors: any; let _report: any; return __typia_transform__createStandardSchema._createStandardSchema((input: any): import("typia").IValidation<TextRulesPayload> => {
    if (false === __is(input)) {
        errors = [];
        _report = (__typia_transform__validateReport._validateReport as any)(errors);
        ((input: any, _path: string, _exceptionable: boolean = true) => (Array.isArray(input) || _report(true, {
            path: _path + "",
            expected: "TextRulesPayload",
            value: input
        })) && ((input.length === 3 || _report(true, {
            path: _path + "",
            expected: "[Array<[id: string, root: string | null, synonyms: string[]]>, (null | string), (Array<string> | null)]",
            value: input
        })) && [
            (Array.isArray(input[0]) || _report(true, {
                path: _path + "[0]",
                expected: "Array<[id: string, root: string | null, synonyms: string[]]>",
                value: input[0]
            })) && input[0].map((elem: any, _index4: number) => (Array.isArray(elem) || _report(true, {
                path: _path + "[0][" + _index4 + "]",
                expected: "[id: string, root: string | null, synonyms: string[]]",
                value: elem
            })) && ((elem.length === 3 || _report(true, {
                path: _path + "[0][" + _index4 + "]",
                expected: "[string, (null | string), Array<string>]",
                value: elem
            })) && [
                "string" === typeof elem[0] || _report(true, {
                    path: _path + "[0][" + _index4 + "][0]",
                    expected: "string",
                    value: elem[0]
                }),
                null === elem[1] || "string" === typeof elem[1] || _report(true, {
                    path: _path + "[0][" + _index4 + "][1]",
                    expected: "(null | string)",
                    value: elem[1]
                }),
                (Array.isArray(elem[2]) || _report(true, {
                    path: _path + "[0][" + _index4 + "][2]",
                    expected: "Array<string>",
                    value: elem[2]
                })) && elem[2].map((elem: any, _index5: number) => "string" === typeof elem || _report(true, {
                    path: _path + "[0][" + _index4 + "][2][" + _index5 + "]",
                    expected: "string",
                    value: elem
                })).every((flag: boolean) => flag) || _report(true, {
                    path: _path + "[0][" + _index4 + "][2]",
                    expected: "Array<string>",
                    value: elem[2]
                })
            ].every((flag: boolean) => flag)) || _report(true, {
                path: _path + "[0][" + _index4 + "]",
                expected: "[id: string, root: string | null, synonyms: string[]]",
                value: elem
            })).every((flag: boolean) => flag) || _report(true, {
                path: _path + "[0]",
                expected: "Array<[id: string, root: string | null, synonyms: string[]]>",
                value: input[0]
            }),
            null === input[1] || "string" === typeof input[1] || _report(true, {
                path: _path + "[1]",
                expected: "(null | string)",
                value: input[1]
            }),
            null === input[2] || (Array.isArray(input[2]) || _report(true, {
                path: _path + "[2]",
                expected: "(Array<string> | null)",
                value: input[2]
            })) && input[2].map((elem: any, _index6: number) => "string" === typeof elem || _report(true, {
                path: _path + "[2][" + _index6 + "]",
                expected: "string",
                value: elem
            })).every((flag: boolean) => flag) || _report(true, {
                path: _path + "[2]",
                expected: "(Array<string> | null)",
                value: input[2]
            })
        ].every((flag: boolean) => flag)) || _report(true, {
            path: _path + "",
            expected: "TextRulesPayload",
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
