/** The word of a confirmation stands alone, in any case: `success`, `ok`. JSON that says false confirms nothing. */
export const saysSuccess = (text: string): boolean =>
  /(?<![\w-])(?:success|ok)(?![\w-])/i.test(text) && !/"success"\s*:\s*(?:false|0)/i.test(text)
