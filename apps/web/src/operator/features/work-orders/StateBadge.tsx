import { type WorkOrderState, workOrderStatus } from '@coffer/contract/codes.ts'
import { useMessages } from '../../../i18n/messages.ts'
import type { BadgeKind } from '../../../ui/feedback/Badge.tsx'
import { CodeBadge } from '../../../ui/feedback/CodeBadge.tsx'

const kinds: Record<WorkOrderState, BadgeKind> = { in_progress: 'processing', answered: 'success', closed: 'closed' }

export function StateBadge({ status }: { status: number }) {
  const { states } = useMessages('work-orders')
  return <CodeBadge codes={workOrderStatus} kinds={kinds} labels={states} code={status} />
}
