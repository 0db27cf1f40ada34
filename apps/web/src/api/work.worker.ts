import { solveWorkChallenge } from './work.ts'

self.onmessage = async ({ data }) => self.postMessage(await solveWorkChallenge(data))
