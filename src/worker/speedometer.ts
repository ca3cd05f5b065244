/** The newest measurement counts this much: after a change of load or machine some twenty chunks tell the truth again. */
const WEIGHT = 0.1

export type Speedometer = {
  measured(audioSeconds: number, tookSeconds: number): void
  /** Audio seconds in a second of one slot; undefined before the first measurement. */
  read(): number | undefined
}

export function createSpeedometer(): Speedometer {
  let speed: number | undefined
  return {
    measured(audioSeconds, tookSeconds) {
      if (audioSeconds <= 0 || tookSeconds <= 0) return
      const now = audioSeconds / tookSeconds
      speed = speed === undefined ? now : speed + WEIGHT * (now - speed)
    },
    read: () => speed,
  }
}
