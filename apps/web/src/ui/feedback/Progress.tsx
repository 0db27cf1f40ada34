interface Props {
  label: string
  /** Between 0 and 1; null while the total is unknown. */
  value: number | null
}

export const Progress = ({ label, value }: Props) => (
  <div
    role="progressbar"
    aria-label={label}
    aria-valuemin={0}
    aria-valuemax={100}
    aria-valuenow={value === null ? undefined : Math.round(value * 100)}
    className="h-1.5 w-full overflow-hidden rounded-full bg-sunken"
  >
    <div
      style={{ width: value === null ? '40%' : `${Math.min(1, value) * 100}%` }}
      className={`h-full rounded-full bg-accent transition-[width] ${value === null ? 'animate-pulse' : ''}`}
    />
  </div>
)
