import { solve } from './work.ts'

self.onmessage = async ({ data }) => self.postMessage(await solve(data))
