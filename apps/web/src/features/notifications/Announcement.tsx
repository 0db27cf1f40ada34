import { Time } from '../../ui/data/Values.tsx'
import { Modal } from '../../ui/feedback/Modal.tsx'
import type { MerchantNotification } from './queries.ts'

/** The whole text of an announcement. */
export default function Announcement({
  notification,
  onClose,
}: {
  notification: MerchantNotification
  onClose(): void
}) {
  return (
    <Modal open title={notification.title} text={<Time seconds={notification.created_time} />} onClose={onClose}>
      <p className="text-sm whitespace-pre-line">{notification.content}</p>
    </Modal>
  )
}
