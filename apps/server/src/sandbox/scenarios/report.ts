import type { Language } from '@coffer/contract/languages.ts'
import type { ScenarioReport } from '@coffer/contract/sandbox/answers.ts'

export type CallbackExchange = ScenarioReport['sent'][number]

/** What the status URL said. */
export interface StatusReading {
  expected: boolean
  /** Null when it did not say so. */
  paid: boolean | null
  /** How often the order was delivered, if it says that. */
  times: number | null
}

/** Why an endpoint does not handle a scenario. */
const faults = {
  never: { en: 'Coffer sent no callback in time', 'zh-CN': 'Coffer 未及时发送回调' },
  refused: { en: 'the endpoint did not accept', 'zh-CN': '端点未接受' },
  accepted: { en: 'the endpoint accepted a forged callback', 'zh-CN': '端点接受了伪造的回调' },
  silent: { en: 'the endpoint did not respond to', 'zh-CN': '端点没有响应' },
  unread: { en: 'the status URL gave no {"paid": true or false}', 'zh-CN': '状态网址未返回 {"paid": true 或 false}' },
  delivered: { en: 'the order is to be delivered and is not', 'zh-CN': '订单应当发货而未发货' },
  kept: { en: 'the order is delivered and must not be', 'zh-CN': '订单不应发货而已发货' },
  times: { en: 'the order was delivered more than once', 'zh-CN': '订单被多次发货' },
} satisfies Record<string, Record<Language, string>>

/** What a scenario showed: `problem` is the reason why it ended early, if it did. */
export interface ScenarioOutcome {
  exchanges: readonly CallbackExchange[]
  readings: readonly StatusReading[]
  problem: 'never' | null
}

/** Returns why an endpoint did not handle a scenario, in words; '' when it did. */
export function describeScenarioFault({ exchanges, readings, problem }: ScenarioOutcome, language: Language): string {
  const say = (fault: keyof typeof faults) => faults[fault][language]
  const forged = exchanges.find(each => each.forged)
  if (forged && isCallbackAccepted(forged)) return say('accepted')
  if (forged?.status === 0) return `${say('silent')} ${forged.event}`
  const last = new Map(exchanges.filter(each => !each.forged).map(each => [each.event, each]))
  const refused = [...last.values()].find(each => !isCallbackAccepted(each))
  if (refused?.status === 0) return `${say('silent')} ${refused.event}`
  if (refused) return `${say('refused')} ${refused.event} (${refused.status})`
  if (problem) return say(problem)
  if (readings.some(each => each.paid === null)) return say('unread')
  if (readings.some(each => (each.times ?? 0) > 1)) return say('times')
  const wrong = readings.find(each => each.paid !== each.expected)
  return wrong ? say(wrong.expected ? 'delivered' : 'kept') : ''
}

export const isCallbackAccepted = ({ status }: Pick<CallbackExchange, 'status'>) => status >= 200 && status < 300

/** Reads the answer of a status URL: `paid`, and how often the order was `delivered` if it says so. */
export function parseStatusResponse(text: string, expected: boolean): StatusReading {
  let found: unknown
  try {
    found = JSON.parse(text)
  } catch {
    found = null
  }
  const { paid, delivered } = (typeof found === 'object' && found ? found : {}) as Record<string, unknown>
  return {
    expected,
    paid: typeof paid === 'boolean' ? paid : null,
    times: typeof delivered === 'number' ? delivered : null,
  }
}
