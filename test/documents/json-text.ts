/** Arbitrary JSON text: the same value in different spellings, and text that is nearly JSON. */
import fc from 'fast-check';

const space = fc.stringMatching(/^[ \n\r\t]{0,2}$/);

/** A character of a string as itself or as one of its escapes. */
function spellCharacter(char: string, choice: number): string {
  const unit = (code: number) => `\\u${code.toString(16).padStart(4, '0')}`;
  const escaped = JSON.stringify(char).slice(1, -1);
  if (choice === 0) return [...Array(char.length).keys()].map((i) => unit(char.charCodeAt(i))).join('');
  if (choice === 1 && char === '/') return '\\/';
  return escaped;
}

/** A JSON string literal of `text`, some of its characters escaped. */
export const spelledString = (text: string): fc.Arbitrary<string> => {
  const chars = [...text];
  return fc
    .array(fc.nat(5), { minLength: chars.length, maxLength: chars.length })
    .map((choices) => `"${chars.map((char, i) => spellCharacter(char, choices[i])).join('')}"`);
};

/** Any string, with a lean towards what JSON escapes and what UTF-8 makes long. */
export const anyString: fc.Arbitrary<string> = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({
    unit: fc.constantFrom('"', '\\', '/', '\n', '\u0000', 'é', '東', '😀', '\ud800', '\udc00', 'a'),
    maxLength: 12,
  }),
);

const stringLiteral = anyString.chain(spelledString);

/** Number literals in every form of the grammar. */
export const numberLiteral: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(fc.nat(99).map(String), fc.bigInt({ min: 0n, max: 1n << 70n }).map(String)),
    fc.oneof(fc.constant(''), fc.stringMatching(/^\.[0-9]{1,20}$/), fc.stringMatching(/^\.0{1,3}$/)),
    fc.oneof(fc.constant(''), fc.stringMatching(/^[eE][+-]?[0-9]{1,2}$/), fc.constantFrom('e400', 'E-400', 'e+07')),
  )
  .map((parts) => parts.join(''));

const scalar = fc.oneof(stringLiteral, numberLiteral, fc.constantFrom('true', 'false', 'null'));

const join = (open: string, items: readonly string[], close: string, pad: string): string =>
  `${open}${pad}${items.join(`${pad},${pad}`)}${pad}${close}`;

/** JSON text of any value, not deep. */
export const jsonText: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => {
  const items = fc.array(tie('value'), { maxLength: 4 });
  const members = fc.array(
    fc.tuple(stringLiteral, space, tie('value')).map(([key, pad, value]) => `${key}${pad}:${pad}${value}`),
    { maxLength: 4 },
  );
  const array = fc.tuple(items, space).map(([values, pad]) => join('[', values, ']', pad));
  const object = fc.tuple(members, space).map(([values, pad]) => join('{', values, '}', pad));
  return { value: fc.oneof({ depthSize: 'small', withCrossShrink: true }, scalar, array, object) };
}).value;

/** JSON text of an object or an array, with white space around it. */
export const bodyText: fc.Arbitrary<string> = fc
  .tuple(space, fc.array(jsonText, { maxLength: 5 }), space, fc.boolean(), fc.array(stringLiteral, { minLength: 5 }))
  .map(([pad, values, end, isArray, keys]) =>
    isArray
      ? `${pad}${join('[', values, ']', pad)}${end}`
      : `${pad}${join(
          '{',
          values.map((value, i) => `${keys[i]}:${value}`),
          '}',
          end,
        )}${pad}`,
  );

export interface Mutation {
  readonly at: number;
  readonly remove: number;
  readonly insert: readonly number[];
}

/** Bytes put in place of `remove` bytes at a relative position; mostly what can break JSON in an interesting way. */
export const mutation: fc.Arbitrary<Mutation> = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  remove: fc.nat(2),
  insert: fc.oneof(
    fc.constant<number[]>([]),
    fc.array(fc.constantFrom(...new TextEncoder().encode('{}[]",:\\u019-+.eE \n\ttfn\u0001/é')), { maxLength: 2 }),
    fc.array(fc.nat(255), { maxLength: 2 }),
  ),
});

/** `bytes` with the mutations applied one after the other. */
export function mutate(bytes: Uint8Array, mutations: readonly Mutation[]): Uint8Array {
  let result = [...bytes];
  for (const { at, remove, insert } of mutations)
    result = result.toSpliced(Math.floor(at * result.length), remove, ...insert);
  return Uint8Array.from(result);
}
