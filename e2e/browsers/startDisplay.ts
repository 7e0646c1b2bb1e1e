import { type Program, startProgram } from './startProgram.ts'

/**
 * A virtual screen with a window manager, so that windows get the focus like on a desktop. `said`
 * is the screen's name.
 */
export async function startDisplay(): Promise<Program> {
  const screen = await startProgram({
    command: 'Xvfb',
    args: ['-displayfd', '3', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'],
    until: /^(\d+)$/,
  })
  const display = `:${screen.said}`
  const manager = await startProgram({
    command: 'matchbox-window-manager',
    args: ['-use_titlebar', 'no'],
    env: { DISPLAY: display },
  })
  return {
    said: display,
    async stop() {
      await manager.stop()
      await screen.stop()
    },
  }
}
