import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type Machine, machines, type Network } from './network.ts'

/** How a member of the cluster is: `leader`, `sync_standby` or `replica`, and what it does. */
export interface Member {
  name: Machine
  role: string
  state: string
  timeline?: number
}

/** Longest wait for an answer of a Patroni (ms). */
const answerMs = 5_000

/** Asks the Patroni of the machines, with the certificate of one of them. */
export function openPatroni({ addresses }: Network, certificates: string) {
  const read = (file: string) => readFileSync(join(certificates, file))
  const identity = { ca: read('ca.crt'), cert: read('db1/member.crt'), key: read('db1/member.key') }

  async function ask(machine: Machine, path: string, body?: object): Promise<{ status: number; answer: string }> {
    const { promise, resolve, reject } = Promise.withResolvers<{ status: number; answer: string }>()
    const asked = request(`https://${addresses[machine]}:8008/${path}`, {
      ...identity,
      method: body ? 'POST' : 'GET',
      signal: AbortSignal.timeout(answerMs),
    })
    asked.on('error', reject)
    asked.on('response', response =>
      text(response).then(answer => resolve({ status: response.statusCode ?? 0, answer }), reject),
    )
    asked.end(body && JSON.stringify(body))
    return promise
  }

  /** The members as any of them sees them; empty while none answers. */
  async function members(): Promise<Member[]> {
    const answers = machines.map(async machine => {
      const { answer } = await ask(machine, 'cluster')
      const found = JSON.parse(answer) as { members: Member[] }
      // One that is cut off knows no newer state.
      if (!found.members.some(each => each.role === 'leader')) throw new Error('no leader')
      return found.members
    })
    return Promise.any(answers).catch(() => [])
  }

  async function switchOver(): Promise<void> {
    const found = await members()
    const leader = found.find(each => each.role === 'leader')?.name
    const candidate = found.find(each => each.role === 'sync_standby')?.name
    if (!leader || !candidate) throw new Error(`nobody to switch over to: ${JSON.stringify(found)}`)
    const answered = await ask(leader, 'switchover', { leader, candidate }).catch(() => undefined)
    if (answered && answered.status !== 200) throw new Error(`the switchover was refused: ${answered.answer}`)
  }

  return { members, switchOver }
}
