import type { WorkOrderSubject } from '@coffer/contract/codes/work-orders.ts'
import { Link } from '../ui/controls/Link.tsx'
import { May } from '../ui/controls/May.tsx'
import { Icon } from '../ui/icons.tsx'

/** A link to a new work order about a record. */
export const WorkOrderLink = ({ kind, id, text }: { kind: WorkOrderSubject; id: string; text: string }) => (
  <May call="POST /api/v1/work-order">
    <Link
      to="/workOrder"
      search={{ about_kind: kind, about_id: id }}
      className="inline-flex items-center gap-1.5 self-start text-[13px] pointer-coarse:min-h-11"
    >
      <Icon name="ticket" size={16} />
      {text}
    </Link>
  </May>
)
