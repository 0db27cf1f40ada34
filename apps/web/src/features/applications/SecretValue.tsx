import type { ReactNode } from 'react'
import { Button } from '../../ui/controls/Button.tsx'
import { CopyText } from '../../ui/data/CopyText.tsx'
import { Modal } from '../../ui/feedback/Modal.tsx'

/** A value to copy into another program, with what it is for. */
export const SecretValue = ({ name, value, use }: { name: string; value: string; use?: string }) => (
  <div>
    <dt className="text-[13px] font-medium text-ink-2">{name}</dt>
    <dd className="mt-1 rounded-lg bg-sunken px-3 py-2 font-mono text-[13px]">
      <CopyText look="whole" value={value} label={name} />
    </dd>
    {use && <dd className="mt-1 text-xs text-ink-3">{use}</dd>}
  </div>
)

interface SecretsProps {
  title: string
  text: string
  /** The button with which the reader says that they are stored. */
  stored: string
  onClose(): void
  secrets: ReactNode
  /** What follows them. */
  children?: ReactNode
}

/** Secrets that are shown once. A press outside does not close them. */
export const ShownOnceModal = ({ title, text, stored, onClose, secrets, children }: SecretsProps) => (
  <Modal
    open
    keep
    title={title}
    text={text}
    onClose={onClose}
    actions={
      <Button look="primary" onClick={onClose}>
        {stored}
      </Button>
    }
  >
    <dl className="flex flex-col gap-4">{secrets}</dl>
    {children}
  </Modal>
)
