/** How one attempt to deliver a message ended. `refused` is for good: the address, chat or device is gone. */
export type Delivery =
  | { result: 'accepted' }
  | { result: 'later'; error: string; retryAfter?: number | undefined }
  | { result: 'refused'; error: string }
