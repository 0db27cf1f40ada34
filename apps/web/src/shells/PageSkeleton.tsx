import { Skeleton } from '../ui/feedback/States.tsx'

/** Stands while a page's code is on its way. */
export const PageSkeleton = () => (
  <div aria-busy="true">
    <Skeleton className="mb-6 h-7 w-48" />
    <Skeleton className="h-[320px] w-full rounded-lg" />
  </div>
)
