/** What of the set-up of a chat refuses messages, until somebody changes it there. */
export type ChatSetup = 'signature' | 'keyword' | 'sender' | 'group'

/**
 * How one attempt to deliver a message ended. `refused` is for good: the address, chat or device is gone, unless its
 * `setup` refuses what is sent. `isAway`: the service takes nothing at present, so that other messages wait, too.
 * `retryAfter` is in seconds, `answer` what the service said.
 */
export type Delivery =
  | { result: 'accepted'; answer?: string | undefined }
  | { result: 'later'; error: string; retryAfter?: number | undefined; isAway?: boolean | undefined }
  | { result: 'refused'; error: string; setup?: ChatSetup | undefined }
