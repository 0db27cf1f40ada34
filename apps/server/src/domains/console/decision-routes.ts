import { type TwoOperatorCall, twoOperatorCalls } from '@coffer/contract/operator/decisions.ts'
import type { Deps } from '../../deps.ts'
import type { AgreementCheck } from '../../kit/second-person.ts'
import { createDualApprovalCheck, listOpenDecisions } from '../operators/decide-together.ts'
import type { OperatorSession } from '../operators/sessions.ts'
import { type ConsoleHandlers, defineConsoleHandlers } from './context.ts'
import { decisions, type Impact, readDecisionImpact } from './decisions.ts'

/** Of whichever call. */
interface Asked {
  deps: Deps
  operator: OperatorSession
  params: { id: string }
  body: { reason: string }
}
interface AnyDecision {
  impact(deps: Deps, id: string, body: object): Promise<Impact>
  act(context: Asked, agree: AgreementCheck, impact: Impact): Promise<unknown>
}

/**
 * Makes the handler of a call: where the value is above the limit, another person has to ask for the same. Another
 * body, but for its reason, is another decision.
 */
const decideTogether =
  (call: TwoOperatorCall, { impact: read, act }: AnyDecision) =>
  async (context: Asked) => {
    const { deps, operator, params, body } = context
    const impact = await read(deps, params.id, body)
    const { reason, ...what } = { ...body, ...impact.what }
    const { object = params.id, value } = impact
    return act(context, createDualApprovalCheck(deps, { call, object, what, reason, by: operator, value }), impact)
  }

const decided = twoOperatorCalls.map(call => [call, decideTogether(call, decisions[call] as AnyDecision)])

export const decisionHandlers = {
  ...(Object.fromEntries(decided) as ConsoleHandlers<TwoOperatorCall>),

  ...defineConsoleHandlers({
    'GET /api/operator/v1/decisions': async ({ deps }) => ({ list: await listOpenDecisions(deps) }),
    'GET /api/operator/v1/stakes': ({ deps, operator, query }) => readDecisionImpact(deps, operator, query),
  }),
}
