/** No node gave a usable answer. Worth trying again later. */
export class ChainUnavailable extends Error {
  override name = 'ChainUnavailable'
}

/** The block asked for by its hash is not on the chain that the nodes see. */
export class BlockGone extends Error {
  override name = 'BlockGone'
}

/** The answer would be larger than is read into memory, or than the node gives: ask for less. */
export class TooLarge extends Error {
  override name = 'TooLarge'
}

/** The node understood the call and refused it. `code` is the node's own. */
export class CallRefused extends Error {
  override name = 'CallRefused'
  code: number

  constructor(message: string, code: number) {
    super(message)
    this.code = code
  }
}

/** Whether an error says something about the nodes, and not about our own code. */
export function isChainError(error: unknown): error is Error {
  return (
    error instanceof ChainUnavailable ||
    error instanceof BlockGone ||
    error instanceof TooLarge ||
    error instanceof CallRefused
  )
}
