import { Skeleton } from '../../ui/feedback/States.tsx'

/** Shown while a page's code loads. */
export const PageSkeleton = () => (
  <div aria-busy="true">
    <Skeleton className="mb-6 h-7 w-48" />
    <Skeleton className="h-[320px] w-full rounded-lg" />
  </div>
)
