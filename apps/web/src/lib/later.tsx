import { type ComponentType, lazy, Suspense } from 'react'

/** A component whose code is loaded when it is first drawn. Nothing is drawn until then. */
export function lazyComponent<P extends object>(load: () => Promise<{ default: ComponentType<P> }>) {
  const Loaded: ComponentType<P> = lazy(load)
  return (props: P) => (
    <Suspense fallback={null}>
      <Loaded {...props} />
    </Suspense>
  )
}
