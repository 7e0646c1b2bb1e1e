import type { Plugin } from 'vite'

// The server fills in what differs from project to project, at `latchkey-frame`.
const head = `
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
    <meta name="referrer" content="no-referrer">
    <meta name="latchkey-frame" content="">
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/src/frame.css">`

/** Gives every page of the frame the same head; its own file holds only the title. */
export const insertHead = (): Plugin => ({
  name: 'insert-head',
  transformIndexHtml: {
    order: 'pre',
    handler: (html) => html.replace('<head>', `<head>${head}`),
  },
})
