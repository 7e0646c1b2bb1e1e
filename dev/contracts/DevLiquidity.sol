// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

interface IToken {
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
}

interface IPool {
    function token0() external view returns (address);
    function token1() external view returns (address);
    function initialize(uint160 sqrtPriceX96) external;
    function increaseObservationCardinalityNext(uint16 next) external;
    function mint(address to, int24 lower, int24 upper, uint128 amount, bytes calldata data) external returns (uint256, uint256);
    function swap(address to, bool zeroForOne, int256 amount, uint160 limit, bytes calldata data) external returns (int256, int256);
}

interface IFactory {
    function createPool(address a, address b, uint24 fee) external returns (IPool);
}

/// Fills pools of a Uniswap V3 factory on a development chain, and trades in them. The caller pays,
/// by allowance.
contract DevLiquidity {
    IFactory private immutable _factory;
    mapping(IPool pool => bool) private _ours;

    constructor(IFactory factory) {
        _factory = factory;
    }

    /// Creates a pool with a price and liquidity from `lower` to `upper` that stores up to
    /// `observations` prices.
    function open(
        address a, address b, uint24 fee, uint160 sqrtPriceX96, int24 lower, int24 upper, uint128 liquidity, uint16 observations
    ) external returns (IPool pool) {
        pool = _factory.createPool(a, b, fee);
        _ours[pool] = true;
        pool.initialize(sqrtPriceX96);
        if (observations > 1) pool.increaseObservationCardinalityNext(observations);
        pool.mint(msg.sender, lower, upper, liquidity, abi.encode(msg.sender));
    }

    function swap(IPool pool, bool zeroForOne, int256 amount, uint160 limit) external returns (int256, int256) {
        require(_ours[pool], "not a pool of ours");
        return pool.swap(msg.sender, zeroForOne, amount, limit, abi.encode(msg.sender));
    }

    function uniswapV3MintCallback(uint256 owed0, uint256 owed1, bytes calldata data) external {
        _pay(int256(owed0), int256(owed1), data);
    }

    function uniswapV3SwapCallback(int256 owed0, int256 owed1, bytes calldata data) external {
        _pay(owed0, owed1, data);
    }

    function _pay(int256 owed0, int256 owed1, bytes calldata data) private {
        IPool pool = IPool(msg.sender);
        require(_ours[pool], "not a pool of ours");
        address payer = abi.decode(data, (address));
        if (owed0 > 0) IToken(pool.token0()).transferFrom(payer, msg.sender, uint256(owed0));
        if (owed1 > 0) IToken(pool.token1()).transferFrom(payer, msg.sender, uint256(owed1));
    }
}
