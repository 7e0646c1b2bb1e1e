type TabChannel = Pick<BroadcastChannel, 'postMessage' | 'onmessage' | 'close'>

/**
 * Opens a channel to the other frames of this browser. Without `BroadcastChannel` (Safari before
 * 15.4) it reaches none of them, and each frame finds out by itself when it asks the server.
 */
export const openTabChannel = (name: string): TabChannel =>
  typeof BroadcastChannel === 'function'
    ? new BroadcastChannel(name)
    : { onmessage: null, postMessage() {}, close() {} }
