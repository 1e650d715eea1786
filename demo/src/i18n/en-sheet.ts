// What a sheet of exercises prints beside its questions, in English.
export const enSheet = {
  sheet: {
    located: (key: string, fingerprint: string, one: number, other: number) =>
      one === other
        ? `“${key}” has the fingerprint ${fingerprint}, and bucket ${one} is both its homes.`
        : `“${key}” has the fingerprint ${fingerprint} and its homes in buckets ${one} and ${other}.`,
    order: 'Slots are read from the left, in the first home and then in the second, up to a match.',
    other: (bucket: number) => `→ ${bucket}`,
    otherNote: 'Below each fingerprint stands the bucket that is its other home.',
    kick: (bucket: number, slot: number) => `${bucket}.${slot}`,
    kicks: (slots: readonly string[]) =>
      `Each kick puts the fingerprint in hand into a slot and takes out what lay there. The slots, as bucket.slot from 0: ${slots.join(', ')}.`,
    owners: 'Below each fingerprint stands the key that brought it. The filter does not keep it.',
  },
};
