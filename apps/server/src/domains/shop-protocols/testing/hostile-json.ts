/** Bodies of about a length in characters that are slow to read for a careless reader, by their shape. */
export const hostileJson: Record<string, (length: number) => string> = {
  'zeros inside a number': length => `{"amount":1.${'0'.repeat(length)}1}`,
  'zeros at the end of a number': length => `{"amount":1.${'0'.repeat(length)}}`,
  'digits without a point': length => `{"amount":1${'0'.repeat(length)}1}`,
  'many such numbers': length => `{"x":[${`1.${'0'.repeat(38)}1,`.repeat(length / 40)}1]}`,
  'escaped quotation marks': length => `{"${'\\"'.repeat(length / 2)}":1}`,
  'many names': length => `{${Array.from({ length: length / 10 }, (_, at) => `"a${at}":1`).join(',')}}`,
  nested: length => '['.repeat(length),
}
