game-noughts = Toy
noughts-turn = toy: { $name } puts
