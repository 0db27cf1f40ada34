import { lazy, Suspense } from 'react'
import type { DialogProps } from './DialogPopup.tsx'

const DialogPopup = lazy(() => import('./DialogPopup.tsx'))

type Props = Omit<DialogProps, 'side'> & { open: boolean }

/** A question or form in front of the page. Its code is fetched when it first opens. */
export const Modal = ({ open, ...rest }: Props) =>
  open ? (
    <Suspense fallback={null}>
      <DialogPopup {...rest} />
    </Suspense>
  ) : null

/** Details beside the page, from the end of the window. */
export const Drawer = ({ open, ...rest }: Props) =>
  open ? (
    <Suspense fallback={null}>
      <DialogPopup {...rest} side="end" />
    </Suspense>
  ) : null
