/**
 * Generated from ../templates by `npm run build:validators`. Never edited by hand: change the types and run that again.
 */
import * as __typia_transform__isTypeUint32 from "typia/lib/internal/_isTypeUint32";
import * as __typia_transform__isTypeUint64 from "typia/lib/internal/_isTypeUint64";
import * as __typia_transform__validateReport from "typia/lib/internal/_validateReport";
import type { StoredManifest } from "../types/manifest.js";
export const validateManifest = (() => { const _pp0 = (input: any) => input.forEach((elem: any) => {
    if ("object" === typeof elem && null !== elem)
        _po1(elem);
}); const _pp1 = (input: any) => input.forEach((elem: any) => {
    if ("object" === typeof elem && null !== elem)
        _po5(elem);
}); const _pp2 = (input: any) => input.forEach((elem: any) => {
    if ("object" === typeof elem && null !== elem)
        _po6(elem);
}); const _pp3 = (input: any) => input.forEach((elem: any) => {
    if ("object" === typeof elem && null !== elem)
        _po2(elem);
}); const _io0 = (input: any): boolean => Array.isArray(input.collections) && input.collections.every((elem: any) => "object" === typeof elem && null !== elem && _io1(elem)) && ("number" === typeof input.snapshot && __typia_transform__isTypeUint32._isTypeUint32(input.snapshot)) && ("string" === typeof input.directoryId && 1 <= input.directoryId.length) && ("number" === typeof input.sequence && (__typia_transform__isTypeUint64._isTypeUint64(input.sequence) && input.sequence <= 9007199254740991)) && ("number" === typeof input.nextSegmentId && (__typia_transform__isTypeUint32._isTypeUint32(input.nextSegmentId) && 1 <= input.nextSegmentId)) && ("number" === typeof input.nextCollectionId && (__typia_transform__isTypeUint64._isTypeUint64(input.nextCollectionId) && input.nextCollectionId <= 9007199254740991)) && ("number" === typeof input.walFile && (__typia_transform__isTypeUint64._isTypeUint64(input.walFile) && input.walFile <= 9007199254740991)) && ("number" === typeof input.writtenAt && (__typia_transform__isTypeUint64._isTypeUint64(input.writtenAt) && input.writtenAt <= 9007199254740991)) && (undefined === input.compounds || Array.isArray(input.compounds) && input.compounds.every((elem: any) => "object" === typeof elem && null !== elem && _io5(elem))) && (undefined === input.aliases || Array.isArray(input.aliases) && input.aliases.every((elem: any) => "object" === typeof elem && null !== elem && _io6(elem))) && (undefined === input.stream || "object" === typeof input.stream && null !== input.stream && _io7(input.stream)); const _io1 = (input: any): boolean => true && true && ("number" === typeof input.id && (__typia_transform__isTypeUint64._isTypeUint64(input.id) && input.id <= 9007199254740991)) && ("number" === typeof input.createdAt && (__typia_transform__isTypeUint64._isTypeUint64(input.createdAt) && input.createdAt <= 9007199254740991)) && ("number" === typeof input.sequence && (__typia_transform__isTypeUint64._isTypeUint64(input.sequence) && input.sequence <= 9007199254740991)) && (Array.isArray(input.segments) && input.segments.every((elem: any) => "object" === typeof elem && null !== elem && _io2(elem))) && (undefined === input.textRules || input.textRules instanceof Uint8Array); const _io2 = (input: any): boolean => "number" === typeof input.id && (__typia_transform__isTypeUint32._isTypeUint32(input.id) && 1 <= input.id) && ("number" === typeof input.bytes && (__typia_transform__isTypeUint32._isTypeUint32(input.bytes) && 128 <= input.bytes)) && ("number" === typeof input.checksum && __typia_transform__isTypeUint32._isTypeUint32(input.checksum)) && ("number" === typeof input.maxDoc && __typia_transform__isTypeUint32._isTypeUint32(input.maxDoc)) && ("number" === typeof input.liveCount && __typia_transform__isTypeUint32._isTypeUint32(input.liveCount)) && (null === input.liveDocs || "object" === typeof input.liveDocs && null !== input.liveDocs && _io3(input.liveDocs)) && (undefined === input.place || "object" === typeof input.place && null !== input.place && _io4(input.place)); const _io3 = (input: any): boolean => "number" === typeof input.snapshot && __typia_transform__isTypeUint32._isTypeUint32(input.snapshot) && ("number" === typeof input.checksum && __typia_transform__isTypeUint32._isTypeUint32(input.checksum)) && (undefined === input.place || "object" === typeof input.place && null !== input.place && _io4(input.place)); const _io4 = (input: any): boolean => "number" === typeof input.compound && __typia_transform__isTypeUint32._isTypeUint32(input.compound) && ("number" === typeof input.offset && (__typia_transform__isTypeUint64._isTypeUint64(input.offset) && input.offset <= 9007199254740991 && 20 <= input.offset)) && ("number" === typeof input.bytes && (__typia_transform__isTypeUint64._isTypeUint64(input.bytes) && input.bytes <= 9007199254740991)); const _io5 = (input: any): boolean => "number" === typeof input.snapshot && __typia_transform__isTypeUint32._isTypeUint32(input.snapshot) && ("number" === typeof input.bytes && (__typia_transform__isTypeUint64._isTypeUint64(input.bytes) && input.bytes <= 9007199254740991 && 20 <= input.bytes)); const _io6 = (input: any): boolean => "string" === typeof input.name && ("number" === typeof input.collectionId && (__typia_transform__isTypeUint64._isTypeUint64(input.collectionId) && input.collectionId <= 9007199254740991)); const _io7 = (input: any): boolean => "string" === typeof input.id && 1 <= input.id.length && ("number" === typeof input.from && (__typia_transform__isTypeUint64._isTypeUint64(input.from) && input.from <= 9007199254740991 && 1 <= input.from)); const _vo0 = (input: any, _path: string, _exceptionable: boolean = true): boolean => [(Array.isArray(input.collections) || _report(_exceptionable, {
        path: _path + ".collections",
        expected: "ReadonlyArray<StoredCollection>",
        value: input.collections
    })) && input.collections.map((elem: any, _index5: number) => ("object" === typeof elem && null !== elem || _report(_exceptionable, {
        path: _path + ".collections[" + _index5 + "]",
        expected: "StoredCollection",
        value: elem
    })) && _vo1(elem, _path + ".collections[" + _index5 + "]", true && _exceptionable) || _report(_exceptionable, {
        path: _path + ".collections[" + _index5 + "]",
        expected: "StoredCollection",
        value: elem
    })).every((flag: boolean) => flag) || _report(_exceptionable, {
        path: _path + ".collections",
        expected: "ReadonlyArray<StoredCollection>",
        value: input.collections
    }), "number" === typeof input.snapshot && (__typia_transform__isTypeUint32._isTypeUint32(input.snapshot) || _report(_exceptionable, {
        path: _path + ".snapshot",
        expected: "number & Type<\"uint32\">",
        value: input.snapshot
    })) || _report(_exceptionable, {
        path: _path + ".snapshot",
        expected: "(number & Type<\"uint32\">)",
        value: input.snapshot
    }), "string" === typeof input.directoryId && (1 <= input.directoryId.length || _report(_exceptionable, {
        path: _path + ".directoryId",
        expected: "string & MinLength<1>",
        value: input.directoryId
    })) || _report(_exceptionable, {
        path: _path + ".directoryId",
        expected: "(string & MinLength<1>)",
        value: input.directoryId
    }), "number" === typeof input.sequence && (__typia_transform__isTypeUint64._isTypeUint64(input.sequence) || _report(_exceptionable, {
        path: _path + ".sequence",
        expected: "number & Type<\"uint64\">",
        value: input.sequence
    })) && (input.sequence <= 9007199254740991 || _report(_exceptionable, {
        path: _path + ".sequence",
        expected: "number & Maximum<9007199254740991>",
        value: input.sequence
    })) || _report(_exceptionable, {
        path: _path + ".sequence",
        expected: "(number & Type<\"uint64\"> & Maximum<9007199254740991>)",
        value: input.sequence
    }), "number" === typeof input.nextSegmentId && (__typia_transform__isTypeUint32._isTypeUint32(input.nextSegmentId) || _report(_exceptionable, {
        path: _path + ".nextSegmentId",
        expected: "number & Type<\"uint32\">",
        value: input.nextSegmentId
    })) && (1 <= input.nextSegmentId || _report(_exceptionable, {
        path: _path + ".nextSegmentId",
        expected: "number & Minimum<1>",
        value: input.nextSegmentId
    })) || _report(_exceptionable, {
        path: _path + ".nextSegmentId",
        expected: "(number & Type<\"uint32\"> & Minimum<1>)",
        value: input.nextSegmentId
    }), "number" === typeof input.nextCollectionId && (__typia_transform__isTypeUint64._isTypeUint64(input.nextCollectionId) || _report(_exceptionable, {
        path: _path + ".nextCollectionId",
        expected: "number & Type<\"uint64\">",
        value: input.nextCollectionId
    })) && (input.nextCollectionId <= 9007199254740991 || _report(_exceptionable, {
        path: _path + ".nextCollectionId",
        expected: "number & Maximum<9007199254740991>",
        value: input.nextCollectionId
    })) || _report(_exceptionable, {
        path: _path + ".nextCollectionId",
        expected: "(number & Type<\"uint64\"> & Maximum<9007199254740991>)",
        value: input.nextCollectionId
    }), "number" === typeof input.walFile && (__typia_transform__isTypeUint64._isTypeUint64(input.walFile) || _report(_exceptionable, {
        path: _path + ".walFile",
        expected: "number & Type<\"uint64\">",
        value: input.walFile
    })) && (input.walFile <= 9007199254740991 || _report(_exceptionable, {
        path: _path + ".walFile",
        expected: "number & Maximum<9007199254740991>",
        value: input.walFile
    })) || _report(_exceptionable, {
        path: _path + ".walFile",
        expected: "(number & Type<\"uint64\"> & Maximum<9007199254740991>)",
        value: input.walFile
    }), "number" === typeof input.writtenAt && (__typia_transform__isTypeUint64._isTypeUint64(input.writtenAt) || _report(_exceptionable, {
        path: _path + ".writtenAt",
        expected: "number & Type<\"uint64\">",
        value: input.writtenAt
    })) && (input.writtenAt <= 9007199254740991 || _report(_exceptionable, {
        path: _path + ".writtenAt",
        expected: "number & Maximum<9007199254740991>",
        value: input.writtenAt
    })) || _report(_exceptionable, {
        path: _path + ".writtenAt",
        expected: "(number & Type<\"uint64\"> & Maximum<9007199254740991>)",
        value: input.writtenAt
    }), undefined === input.compounds || (Array.isArray(input.compounds) || _report(_exceptionable, {
        path: _path + ".compounds",
        expected: "(ReadonlyArray<ManifestCompound> | undefined)",
        value: input.compounds
    })) && input.compounds.map((elem: any, _index6: number) => ("object" === typeof elem && null !== elem || _report(_exceptionable, {
        path: _path + ".compounds[" + _index6 + "]",
        expected: "ManifestCompound",
        value: elem
    })) && _vo5(elem, _path + ".compounds[" + _index6 + "]", true && _exceptionable) || _report(_exceptionable, {
        path: _path + ".compounds[" + _index6 + "]",
        expected: "ManifestCompound",
        value: elem
    })).every((flag: boolean) => flag) || _report(_exceptionable, {
        path: _path + ".compounds",
        expected: "(ReadonlyArray<ManifestCompound> | undefined)",
        value: input.compounds
    }), undefined === input.aliases || (Array.isArray(input.aliases) || _report(_exceptionable, {
        path: _path + ".aliases",
        expected: "(ReadonlyArray<ManifestAlias> | undefined)",
        value: input.aliases
    })) && input.aliases.map((elem: any, _index7: number) => ("object" === typeof elem && null !== elem || _report(_exceptionable, {
        path: _path + ".aliases[" + _index7 + "]",
        expected: "ManifestAlias",
        value: elem
    })) && _vo6(elem, _path + ".aliases[" + _index7 + "]", true && _exceptionable) || _report(_exceptionable, {
        path: _path + ".aliases[" + _index7 + "]",
        expected: "ManifestAlias",
        value: elem
    })).every((flag: boolean) => flag) || _report(_exceptionable, {
        path: _path + ".aliases",
        expected: "(ReadonlyArray<ManifestAlias> | undefined)",
        value: input.aliases
    }), undefined === input.stream || ("object" === typeof input.stream && null !== input.stream || _report(_exceptionable, {
        path: _path + ".stream",
        expected: "(ManifestStream | undefined)",
        value: input.stream
    })) && _vo7(input.stream, _path + ".stream", true && _exceptionable) || _report(_exceptionable, {
        path: _path + ".stream",
        expected: "(ManifestStream | undefined)",
        value: input.stream
    })].every((flag: boolean) => flag); const _vo1 = (input: any, _path: string, _exceptionable: boolean = true): boolean => [true, true, "number" === typeof input.id && (__typia_transform__isTypeUint64._isTypeUint64(input.id) || _report(_exceptionable, {
        path: _path + ".id",
        expected: "number & Type<\"uint64\">",
        value: input.id
    })) && (input.id <= 9007199254740991 || _report(_exceptionable, {
        path: _path + ".id",
        expected: "number & Maximum<9007199254740991>",
        value: input.id
    })) || _report(_exceptionable, {
        path: _path + ".id",
        expected: "(number & Type<\"uint64\"> & Maximum<9007199254740991>)",
        value: input.id
    }), "number" === typeof input.createdAt && (__typia_transform__isTypeUint64._isTypeUint64(input.createdAt) || _report(_exceptionable, {
        path: _path + ".createdAt",
        expected: "number & Type<\"uint64\">",
        value: input.createdAt
    })) && (input.createdAt <= 9007199254740991 || _report(_exceptionable, {
        path: _path + ".createdAt",
        expected: "number & Maximum<9007199254740991>",
        value: input.createdAt
    })) || _report(_exceptionable, {
        path: _path + ".createdAt",
        expected: "(number & Type<\"uint64\"> & Maximum<9007199254740991>)",
        value: input.createdAt
    }), "number" === typeof input.sequence && (__typia_transform__isTypeUint64._isTypeUint64(input.sequence) || _report(_exceptionable, {
        path: _path + ".sequence",
        expected: "number & Type<\"uint64\">",
        value: input.sequence
    })) && (input.sequence <= 9007199254740991 || _report(_exceptionable, {
        path: _path + ".sequence",
        expected: "number & Maximum<9007199254740991>",
        value: input.sequence
    })) || _report(_exceptionable, {
        path: _path + ".sequence",
        expected: "(number & Type<\"uint64\"> & Maximum<9007199254740991>)",
        value: input.sequence
    }), (Array.isArray(input.segments) || _report(_exceptionable, {
        path: _path + ".segments",
        expected: "ReadonlyArray<ManifestSegment>",
        value: input.segments
    })) && input.segments.map((elem: any, _index8: number) => ("object" === typeof elem && null !== elem || _report(_exceptionable, {
        path: _path + ".segments[" + _index8 + "]",
        expected: "ManifestSegment",
        value: elem
    })) && _vo2(elem, _path + ".segments[" + _index8 + "]", true && _exceptionable) || _report(_exceptionable, {
        path: _path + ".segments[" + _index8 + "]",
        expected: "ManifestSegment",
        value: elem
    })).every((flag: boolean) => flag) || _report(_exceptionable, {
        path: _path + ".segments",
        expected: "ReadonlyArray<ManifestSegment>",
        value: input.segments
    }), undefined === input.textRules || input.textRules instanceof Uint8Array || _report(_exceptionable, {
        path: _path + ".textRules",
        expected: "(Uint8Array | undefined)",
        value: input.textRules
    })].every((flag: boolean) => flag); const _vo2 = (input: any, _path: string, _exceptionable: boolean = true): boolean => ["number" === typeof input.id && (__typia_transform__isTypeUint32._isTypeUint32(input.id) || _report(_exceptionable, {
        path: _path + ".id",
        expected: "number & Type<\"uint32\">",
        value: input.id
    })) && (1 <= input.id || _report(_exceptionable, {
        path: _path + ".id",
        expected: "number & Minimum<1>",
        value: input.id
    })) || _report(_exceptionable, {
        path: _path + ".id",
        expected: "(number & Type<\"uint32\"> & Minimum<1>)",
        value: input.id
    }), "number" === typeof input.bytes && (__typia_transform__isTypeUint32._isTypeUint32(input.bytes) || _report(_exceptionable, {
        path: _path + ".bytes",
        expected: "number & Type<\"uint32\">",
        value: input.bytes
    })) && (128 <= input.bytes || _report(_exceptionable, {
        path: _path + ".bytes",
        expected: "number & Minimum<128>",
        value: input.bytes
    })) || _report(_exceptionable, {
        path: _path + ".bytes",
        expected: "(number & Type<\"uint32\"> & Minimum<128>)",
        value: input.bytes
    }), "number" === typeof input.checksum && (__typia_transform__isTypeUint32._isTypeUint32(input.checksum) || _report(_exceptionable, {
        path: _path + ".checksum",
        expected: "number & Type<\"uint32\">",
        value: input.checksum
    })) || _report(_exceptionable, {
        path: _path + ".checksum",
        expected: "(number & Type<\"uint32\">)",
        value: input.checksum
    }), "number" === typeof input.maxDoc && (__typia_transform__isTypeUint32._isTypeUint32(input.maxDoc) || _report(_exceptionable, {
        path: _path + ".maxDoc",
        expected: "number & Type<\"uint32\">",
        value: input.maxDoc
    })) || _report(_exceptionable, {
        path: _path + ".maxDoc",
        expected: "(number & Type<\"uint32\">)",
        value: input.maxDoc
    }), "number" === typeof input.liveCount && (__typia_transform__isTypeUint32._isTypeUint32(input.liveCount) || _report(_exceptionable, {
        path: _path + ".liveCount",
        expected: "number & Type<\"uint32\">",
        value: input.liveCount
    })) || _report(_exceptionable, {
        path: _path + ".liveCount",
        expected: "(number & Type<\"uint32\">)",
        value: input.liveCount
    }), null === input.liveDocs || ("object" === typeof input.liveDocs && null !== input.liveDocs || _report(_exceptionable, {
        path: _path + ".liveDocs",
        expected: "(ManifestLiveDocs | null)",
        value: input.liveDocs
    })) && _vo3(input.liveDocs, _path + ".liveDocs", true && _exceptionable) || _report(_exceptionable, {
        path: _path + ".liveDocs",
        expected: "(ManifestLiveDocs | null)",
        value: input.liveDocs
    }), undefined === input.place || ("object" === typeof input.place && null !== input.place || _report(_exceptionable, {
        path: _path + ".place",
        expected: "(CompoundPlace | undefined)",
        value: input.place
    })) && _vo4(input.place, _path + ".place", true && _exceptionable) || _report(_exceptionable, {
        path: _path + ".place",
        expected: "(CompoundPlace | undefined)",
        value: input.place
    })].every((flag: boolean) => flag); const _vo3 = (input: any, _path: string, _exceptionable: boolean = true): boolean => ["number" === typeof input.snapshot && (__typia_transform__isTypeUint32._isTypeUint32(input.snapshot) || _report(_exceptionable, {
        path: _path + ".snapshot",
        expected: "number & Type<\"uint32\">",
        value: input.snapshot
    })) || _report(_exceptionable, {
        path: _path + ".snapshot",
        expected: "(number & Type<\"uint32\">)",
        value: input.snapshot
    }), "number" === typeof input.checksum && (__typia_transform__isTypeUint32._isTypeUint32(input.checksum) || _report(_exceptionable, {
        path: _path + ".checksum",
        expected: "number & Type<\"uint32\">",
        value: input.checksum
    })) || _report(_exceptionable, {
        path: _path + ".checksum",
        expected: "(number & Type<\"uint32\">)",
        value: input.checksum
    }), undefined === input.place || ("object" === typeof input.place && null !== input.place || _report(_exceptionable, {
        path: _path + ".place",
        expected: "(CompoundPlace | undefined)",
        value: input.place
    })) && _vo4(input.place, _path + ".place", true && _exceptionable) || _report(_exceptionable, {
        path: _path + ".place",
        expected: "(CompoundPlace | undefined)",
        value: input.place
    })].every((flag: boolean) => flag); const _vo4 = (input: any, _path: string, _exceptionable: boolean = true): boolean => ["number" === typeof input.compound && (__typia_transform__isTypeUint32._isTypeUint32(input.compound) || _report(_exceptionable, {
        path: _path + ".compound",
        expected: "number & Type<\"uint32\">",
        value: input.compound
    })) || _report(_exceptionable, {
        path: _path + ".compound",
        expected: "(number & Type<\"uint32\">)",
        value: input.compound
    }), "number" === typeof input.offset && (__typia_transform__isTypeUint64._isTypeUint64(input.offset) || _report(_exceptionable, {
        path: _path + ".offset",
        expected: "number & Type<\"uint64\">",
        value: input.offset
    })) && (input.offset <= 9007199254740991 || _report(_exceptionable, {
        path: _path + ".offset",
        expected: "number & Maximum<9007199254740991>",
        value: input.offset
    })) && (20 <= input.offset || _report(_exceptionable, {
        path: _path + ".offset",
        expected: "number & Minimum<20>",
        value: input.offset
    })) || _report(_exceptionable, {
        path: _path + ".offset",
        expected: "(number & Type<\"uint64\"> & Maximum<9007199254740991> & Minimum<20>)",
        value: input.offset
    }), "number" === typeof input.bytes && (__typia_transform__isTypeUint64._isTypeUint64(input.bytes) || _report(_exceptionable, {
        path: _path + ".bytes",
        expected: "number & Type<\"uint64\">",
        value: input.bytes
    })) && (input.bytes <= 9007199254740991 || _report(_exceptionable, {
        path: _path + ".bytes",
        expected: "number & Maximum<9007199254740991>",
        value: input.bytes
    })) || _report(_exceptionable, {
        path: _path + ".bytes",
        expected: "(number & Type<\"uint64\"> & Maximum<9007199254740991>)",
        value: input.bytes
    })].every((flag: boolean) => flag); const _vo5 = (input: any, _path: string, _exceptionable: boolean = true): boolean => ["number" === typeof input.snapshot && (__typia_transform__isTypeUint32._isTypeUint32(input.snapshot) || _report(_exceptionable, {
        path: _path + ".snapshot",
        expected: "number & Type<\"uint32\">",
        value: input.snapshot
    })) || _report(_exceptionable, {
        path: _path + ".snapshot",
        expected: "(number & Type<\"uint32\">)",
        value: input.snapshot
    }), "number" === typeof input.bytes && (__typia_transform__isTypeUint64._isTypeUint64(input.bytes) || _report(_exceptionable, {
        path: _path + ".bytes",
        expected: "number & Type<\"uint64\">",
        value: input.bytes
    })) && (input.bytes <= 9007199254740991 || _report(_exceptionable, {
        path: _path + ".bytes",
        expected: "number & Maximum<9007199254740991>",
        value: input.bytes
    })) && (20 <= input.bytes || _report(_exceptionable, {
        path: _path + ".bytes",
        expected: "number & Minimum<20>",
        value: input.bytes
    })) || _report(_exceptionable, {
        path: _path + ".bytes",
        expected: "(number & Type<\"uint64\"> & Maximum<9007199254740991> & Minimum<20>)",
        value: input.bytes
    })].every((flag: boolean) => flag); const _vo6 = (input: any, _path: string, _exceptionable: boolean = true): boolean => ["string" === typeof input.name || _report(_exceptionable, {
        path: _path + ".name",
        expected: "string",
        value: input.name
    }), "number" === typeof input.collectionId && (__typia_transform__isTypeUint64._isTypeUint64(input.collectionId) || _report(_exceptionable, {
        path: _path + ".collectionId",
        expected: "number & Type<\"uint64\">",
        value: input.collectionId
    })) && (input.collectionId <= 9007199254740991 || _report(_exceptionable, {
        path: _path + ".collectionId",
        expected: "number & Maximum<9007199254740991>",
        value: input.collectionId
    })) || _report(_exceptionable, {
        path: _path + ".collectionId",
        expected: "(number & Type<\"uint64\"> & Maximum<9007199254740991>)",
        value: input.collectionId
    })].every((flag: boolean) => flag); const _vo7 = (input: any, _path: string, _exceptionable: boolean = true): boolean => ["string" === typeof input.id && (1 <= input.id.length || _report(_exceptionable, {
        path: _path + ".id",
        expected: "string & MinLength<1>",
        value: input.id
    })) || _report(_exceptionable, {
        path: _path + ".id",
        expected: "(string & MinLength<1>)",
        value: input.id
    }), "number" === typeof input.from && (__typia_transform__isTypeUint64._isTypeUint64(input.from) || _report(_exceptionable, {
        path: _path + ".from",
        expected: "number & Type<\"uint64\">",
        value: input.from
    })) && (input.from <= 9007199254740991 || _report(_exceptionable, {
        path: _path + ".from",
        expected: "number & Maximum<9007199254740991>",
        value: input.from
    })) && (1 <= input.from || _report(_exceptionable, {
        path: _path + ".from",
        expected: "number & Minimum<1>",
        value: input.from
    })) || _report(_exceptionable, {
        path: _path + ".from",
        expected: "(number & Type<\"uint64\"> & Maximum<9007199254740991> & Minimum<1>)",
        value: input.from
    })].every((flag: boolean) => flag); const _po0 = (input: any): any => {
    if (Array.isArray(input.collections))
        _pp0(input.collections);
    if (Array.isArray(input.compounds))
        _pp1(input.compounds);
    if (Array.isArray(input.aliases))
        _pp2(input.aliases);
    if ("object" === typeof input.stream && null !== input.stream)
        _po7(input.stream);
    for (const key of Object.keys(input)) {
        if ("collections" === key || "snapshot" === key || "directoryId" === key || "sequence" === key || "nextSegmentId" === key || "nextCollectionId" === key || "walFile" === key || "writtenAt" === key || "compounds" === key || "aliases" === key || "stream" === key)
            continue;
        delete input[key];
    }
}; const _po1 = (input: any): any => {
    if (Array.isArray(input.segments))
        _pp3(input.segments);
    for (const key of Object.keys(input)) {
        if ("schema" === key || "change" === key || "id" === key || "createdAt" === key || "sequence" === key || "segments" === key || "textRules" === key)
            continue;
        delete input[key];
    }
}; const _po2 = (input: any): any => {
    if ("object" === typeof input.liveDocs && null !== input.liveDocs)
        _po3(input.liveDocs);
    if ("object" === typeof input.place && null !== input.place)
        _po4(input.place);
    for (const key of Object.keys(input)) {
        if ("id" === key || "bytes" === key || "checksum" === key || "maxDoc" === key || "liveCount" === key || "liveDocs" === key || "place" === key)
            continue;
        delete input[key];
    }
}; const _po3 = (input: any): any => {
    if ("object" === typeof input.place && null !== input.place)
        _po4(input.place);
    for (const key of Object.keys(input)) {
        if ("snapshot" === key || "checksum" === key || "place" === key)
            continue;
        delete input[key];
    }
}; const _po4 = (input: any): any => {
    for (const key of Object.keys(input)) {
        if ("compound" === key || "offset" === key || "bytes" === key)
            continue;
        delete input[key];
    }
}; const _po5 = (input: any): any => {
    for (const key of Object.keys(input)) {
        if ("snapshot" === key || "bytes" === key)
            continue;
        delete input[key];
    }
}; const _po6 = (input: any): any => {
    for (const key of Object.keys(input)) {
        if ("name" === key || "collectionId" === key)
            continue;
        delete input[key];
    }
}; const _po7 = (input: any): any => {
    for (const key of Object.keys(input)) {
        if ("id" === key || "from" === key)
            continue;
        delete input[key];
    }
}; const __is = (input: any): input is StoredManifest => "object" === typeof input && null !== input && _io0(input); let errors: any; let _report: any; const __validate = (input: any): import("typia").IValidation<StoredManifest> => {
    if (false === __is(input)) {
        errors = [];
        _report = (__typia_transform__validateReport._validateReport as any)(errors);
        ((input: any, _path: string, _exceptionable: boolean = true) => ("object" === typeof input && null !== input || _report(true, {
            path: _path + "",
            expected: "StoredManifest",
            value: input
        })) && _vo0(input, _path + "", true) || _report(true, {
            path: _path + "",
            expected: "StoredManifest",
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
}; const __prune = (input: StoredManifest): void => {
    if ("object" === typeof input && null !== input)
        _po0(input);
}; return (input: any): import("typia").IValidation<StoredManifest> => {
    const result = __validate(input);
    if (result.success)
        __prune(input);
    return result;
}; })();
