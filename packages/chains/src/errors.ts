/** No node gave a valid response. Retryable. */
export class ChainUnavailable extends Error {
  override name = 'ChainUnavailable'
}

/** What a node reports of a block is not what the header of this hash commits to: the node lies, or is broken. */
export class HeaderMismatch extends ChainUnavailable {
  override name = 'HeaderMismatch'
}

/** No node has the requested block hash on its chain. */
export class BlockOrphaned extends Error {
  override name = 'BlockOrphaned'
}

/** The response exceeds the size limit or the node's limit: request less. */
export class ResponseTooLarge extends Error {
  override name = 'ResponseTooLarge'
}

/** The node rejected the call. `code` is the JSON-RPC error code or the HTTP status. */
export class CallRefused extends Error {
  override name = 'CallRefused'
  code: number

  constructor(message: string, code: number) {
    super(message)
    this.code = code
  }
}

/** The transfer would be executed, and takes more gas than we pay for. */
export class TooMuchGas extends CallRefused {
  override name = 'TooMuchGas'
}

/** Whether an error was caused by the nodes, not by a bug of ours. */
export function isChainError(error: unknown): error is Error {
  return (
    error instanceof ChainUnavailable ||
    error instanceof BlockOrphaned ||
    error instanceof ResponseTooLarge ||
    error instanceof CallRefused
  )
}
