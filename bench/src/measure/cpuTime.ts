import type { ChildProcess } from 'node:child_process'

/** For a child process: reports its processor time to {@link askCpuMs}. */
export function tellCpuTime(): void {
  process.on('message', (message) => {
    if (message !== 'cpu') return
    const { user, system } = process.cpuUsage()
    process.send?.({ cpuMs: (user + system) / 1000 })
  })
}

/** The processor time so far of a child with {@link tellCpuTime}. */
export function askCpuMs(child: ChildProcess): Promise<number> {
  return new Promise((done) => {
    const onMessage = (message: unknown) => {
      const { cpuMs } = message as { cpuMs?: number }
      if (cpuMs === undefined) return
      child.off('message', onMessage)
      done(cpuMs)
    }
    child.on('message', onMessage)
    child.send('cpu')
  })
}

/** Waits until a child is idle. */
export async function untilCalm(child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 60; tries++) {
    const before = await askCpuMs(child)
    await new Promise((done) => setTimeout(done, 1_000))
    if ((await askCpuMs(child)) - before < 50) return
  }
}
