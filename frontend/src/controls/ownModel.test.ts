import { describe, expect, it } from 'vitest';

import { noEntry, OWN, ownModel, seated } from './ownModel';

const endpoints = [
  { name: 'openai', url: 'https://api.openai.com/v1', signed_in: false },
  { name: 'router.huggingface.co', url: 'https://router.huggingface.co/v1', signed_in: true },
];

describe('an own model', () => {
  it('begins with the endpoint of the account, if one is signed in', () => {
    expect(noEntry(endpoints).endpoint).toBe('router.huggingface.co');
    expect(noEntry(endpoints.slice(0, 1)).endpoint).toBe('openai');
    expect(noEntry([]).endpoint).toBe('');
  });

  it('is sent with its key, or without one where an account stands in for it', () => {
    expect(ownModel({ endpoint: 'openai', model: ' gpt ', key: 'k' }, endpoints)).toEqual({
      endpoint: 'openai',
      model: 'gpt',
      api_key: 'k',
    });
    const signed = { endpoint: 'router.huggingface.co', model: 'a/b', key: '' };
    expect(ownModel(signed, endpoints)).toEqual({ endpoint: 'router.huggingface.co', model: 'a/b' });
    expect(ownModel({ ...signed, key: 'k' }, endpoints)).toHaveProperty('api_key', 'k');
  });

  it('fills the seats that name it, and is in no request that has none', () => {
    const model = { endpoint: 'openai', model: 'gpt', api_key: 'k' };
    expect(seated({ north: 'best', south: OWN }, model)).toEqual({
      players: { north: 'best' },
      models: { south: model },
    });
    expect(JSON.stringify(seated({ north: 'best' }, model))).not.toContain('"k"');
  });
});
