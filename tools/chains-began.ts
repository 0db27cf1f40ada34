/**
 * Genesis time of local chains (Unix seconds): 100 days ago, because a demo plays the past and block times only
 * increase.
 */
export const chainsBegan = (): number => Math.floor(Date.now() / 1000) - 100 * 86_400
