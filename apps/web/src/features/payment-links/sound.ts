let context: AudioContext | undefined

/** Allows the sound, which browsers play only after a press. */
export function unlockSound(): void {
  context ??= new AudioContext()
  void context.resume()
}

/** Announces a received payment by two rising tones and a vibration. Silent where the device allows neither. */
export function playPaidSound(): void {
  navigator.vibrate?.([120, 60, 240])
  // Pages that were only read, not pressed, may not sound.
  if (!context && !navigator.userActivation?.hasBeenActive) return
  unlockSound()
  if (!context) return
  for (const [hertz, after] of [
    [880, 0],
    [1320, 0.16],
  ] as const) {
    const from = context.currentTime + after
    const tone = context.createOscillator()
    const volume = context.createGain()
    tone.frequency.value = hertz
    volume.gain.setValueAtTime(0.3, from)
    volume.gain.exponentialRampToValueAtTime(0.001, from + 0.3)
    tone.connect(volume).connect(context.destination)
    tone.start(from)
    tone.stop(from + 0.3)
  }
}
