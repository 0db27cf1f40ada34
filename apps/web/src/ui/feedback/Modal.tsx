import { lazy, Suspense } from 'react'
import type { DialogProps } from './DialogPopup.tsx'

const DialogPopup = lazy(() => import('./DialogPopup.tsx'))

type Props = Omit<DialogProps, 'side'> & { open: boolean }

/** A centred dialog. Its code is loaded when the first one opens. */
export const Modal = ({ open, ...rest }: Props) =>
  open ? (
    <Suspense fallback={null}>
      <DialogPopup {...rest} />
    </Suspense>
  ) : null

/** A dialog at the end edge of the window, for details. */
export const Drawer = ({ open, ...rest }: Props) =>
  open ? (
    <Suspense fallback={null}>
      <DialogPopup {...rest} side="end" />
    </Suspense>
  ) : null
