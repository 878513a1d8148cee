import { describe, expect, it } from 'vitest';

import { bowlingCall } from './chances';
import type { BallBowled } from '../events.gen';
import type { Decision } from '../events.gen';

const ball = (aim: string[], variation: string, landed = ['good', 'off_channel']) =>
  ({ aim, landed, variation }) as BallBowled;
const decision = (choice: Decision['choice']): Decision => ({ seat: 'away', choice, delta: 0 });

describe("what the captain's panel says of a call to the bowler", () => {
  it('tells a drawn variation from one that was called', () => {
    expect(bowlingCall(ball(['natural', 'natural', 'natural'], 'slower_ball'), undefined)).toBe(
      'natural; bowled slower ball',
    );
    expect(bowlingCall(ball(['natural', 'natural', 'slower_ball'], 'slower_ball'), undefined)).toBe('slower ball');
    expect(bowlingCall(ball(['natural', 'natural', 'natural'], 'stock'), undefined)).toBe('natural');
  });

  it('says where the ball landed instead', () => {
    expect(bowlingCall(ball(['yorker', 'natural', 'natural'], 'stock'), undefined)).toBe('yorker; landed good length');
  });

  it('reads older records, which name the call only where it was worth something', () => {
    expect(bowlingCall(ball(['natural', 'natural'], 'slower_ball'), decision({}))).toBe('natural; bowled slower ball');
    expect(bowlingCall(ball(['natural', 'natural'], 'slower_ball'), decision({ variation: 'slower_ball' }))).toBe(
      'slower ball',
    );
  });
});
